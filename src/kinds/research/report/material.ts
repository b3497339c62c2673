import pLimit from 'p-limit';
import { type CitationRecord, recordsIn } from '../../../core/citations/citation-marks.ts';
import type { Message } from '../../../core/messages/message.ts';
import { type Lookup, lookupIn } from '../../../core/ports/workspace-text.ts';
import { answerFor } from '../../../core/search/conversation.ts';
import { isThoughtTreeError } from '../../../core/search/errors.ts';
import { type ParsedDocument, parseDocument } from '../../../core/text/document.ts';
import { pathOf, type Tree, type TreeNode } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/context.ts';
import { activeMarkdown } from '../../../engine-parts/citations/inert-markdown.ts';
import { type Found, findingsTakenFrom, foundIn } from '../../../engine-parts/report/findings.ts';
import { documentLink, hasDocument, placeOf, webAddress } from '../../../engine-parts/report/link-target.ts';
import {
  type Block,
  blocksOf,
  type LinkRule,
  type Mention,
  mentionsIn,
  titleOf,
  visibleText,
} from '../../../engine-parts/report/safe-markdown.ts';
import { ROOT_SESSION } from '../../../engine-parts/transcripts/conversations.ts';

/** The material of a report: collected once, a limited part of the tree. */
export class Material {
  readonly ctx: SearchContext;
  readonly survey: Survey;
  /** The most informative documents first. */
  readonly digests: readonly Digest[];
  /** The search for the question's words, by a model that writes none of its own. */
  readonly lookup: Lookup | undefined;
  readonly #missing: ReadonlySet<TreeNode>;

  static async gather(ctx: SearchContext): Promise<Material> {
    const survey = surveyOf(ctx.tree);
    return new Material(ctx, survey, await readDocuments(ctx, survey.best), await readLookup(ctx));
  }

  private constructor(ctx: SearchContext, survey: Survey, digests: readonly Digest[], lookup: Lookup | undefined) {
    this.ctx = ctx;
    this.survey = survey;
    this.digests = digests;
    this.lookup = lookup;
    const found = new Set(digests.map(({ node }) => node));
    this.#missing = new Set(survey.best.filter((node) => !found.has(node)));
  }

  /** Returns a message in the language of the report. */
  show(message: Message): string {
    return this.ctx.show(message);
  }

  /** Tells whether a link to the node's document leads somewhere. */
  isWritten(node: TreeNode): boolean {
    return hasDocument(node) && !this.#missing.has(node);
  }

  /** Returns the node's title, linked to its document if there is one. */
  linkTo(node: TreeNode): string {
    const title = titleOf(node);
    return this.isWritten(node) ? `[${title}](${documentLink(node)})` : title;
  }

  /** Returns where links in a document's own words lead, from the report. */
  linksIn({ path }: Digest): LinkRule {
    return (target) => {
      const web = webAddress(target);
      if (web !== undefined) return web;
      const place = placeOf(this.ctx.tree, this.ctx.folder, path, target);
      return place && (!place.node || this.isWritten(place.node)) ? place.link : undefined;
    };
  }
}

/** Returns how a model that writes no words of its own looked the question up; undefined for others. */
async function readLookup({ model, store }: SearchContext): Promise<Lookup | undefined> {
  if (model.prose !== false) return undefined;
  const conversation = await store.readConversation(ROOT_SESSION);
  const answer = conversation && answerFor(conversation, 'children');
  return answer && lookupIn(answer.text);
}

const READS_AT_ONCE = 8;
/** The number of documents whose words are kept; of the others only their citations are. */
const MOST_QUOTED = 12;
/** The most that is read of a document, in characters: for its citations, and for its key passage. */
const LOOKED_AT = 100_000;
const QUOTED = 6000;

/** The parts of one document that a report uses. */
export interface Digest {
  readonly node: TreeNode;
  readonly path: string;
  /** Its findings, and what it left open. */
  readonly found: Found;
  /** The beginning of its text; empty if it is not one of the most informative. */
  readonly blocks: readonly Block[];
  readonly mentions: readonly Mention[];
  /** The results of checking its quotations of files. */
  readonly quotations: readonly CitationRecord[];
}

/** Reads documents, the most informative first; leaves out missing ones, and keeps a small part of each. */
async function readDocuments(ctx: SearchContext, nodes: readonly TreeNode[]): Promise<Digest[]> {
  const limit = pLimit(READS_AT_ONCE);
  const digests = await limit.map(nodes, async (node, place): Promise<Digest | undefined> => {
    const path = pathOf(node);
    const text = await ctx.store.readDocument(path);
    if (text === undefined) return undefined;
    const { data, body } = partsOf(text);
    const { findings, open } = foundIn(data);
    const found = { findings: findings.length > 0 ? findings : findingsTakenFrom(body.slice(0, LOOKED_AT)), open };
    const blocks = place < MOST_QUOTED ? blocksOf(visibleText(body.slice(0, QUOTED))) : [];
    return {
      node,
      path,
      found,
      blocks,
      mentions: mentionsIn(visibleText(body.slice(0, LOOKED_AT))),
      quotations: recordsIn(node.file?.quotations),
    };
  });
  return digests.filter((digest) => digest !== undefined);
}

function partsOf(text: string): ParsedDocument {
  try {
    const { data, body } = parseDocument(text);
    return { data, body: activeMarkdown(body) }; // the report has rules of its own for what is shown
  } catch (error) {
    if (isThoughtTreeError(error, 'bad-answer')) return { data: {}, body: '' }; // a person's text need not meet our requirements for models
    throw error;
  }
}

/** The most documents that a report reads. */
const MOST_READ = 100;
const MOST_NAMED = 15;
const MOST_MODELS = 10;

/** Nodes of one kind: their number, and those that are named. */
export interface Group {
  readonly count: number;
  readonly named: readonly TreeNode[];
}

/** The facts about a tree that a report needs, from one walk through it. */
interface Survey {
  /** Number of nodes with a document, except in pruned branches. */
  readonly documents: number;
  /** The documents worth reading, the most informative first: the best of each first-level topic before any second best. */
  readonly best: readonly TreeNode[];
  /** Number of nodes that were looked into, except in pruned branches. */
  readonly done: number;
  /** The first documents that a person asked for, below the first level. */
  readonly own: readonly TreeNode[];
  /** Documents below each first-level topic, without its own. */
  readonly below: ReadonlyMap<TreeNode, number>;
  /** The named ones are the most promising. */
  readonly open: Group;
  readonly failed: Group;
  /** The tops of pruned branches. */
  readonly pruned: Group;
  readonly models: readonly string[];
  /** The number of documents that end at the depth limit: nobody asked for what is below them. */
  readonly atLimit: number;
}

/** Visits every node once, and keeps no more of a large tree than of a small one. */
function surveyOf(tree: Tree): Survey {
  const open = new Best(byExpectation);
  const failed = new Best(inTheirOrder);
  const pruned = new Best(inTheirOrder);
  const models = new Set<string>();
  const below = new Map<TreeNode, number>();
  const branches: TreeNode[][] = [];
  const own: TreeNode[] = [];
  let documents = 0;
  let done = 0;
  let atLimit = 0;
  for (const topic of tree.root.children) {
    const branch = new Best(byWorth, MOST_READ);
    for (const node of keptNodes(topic)) {
      if (node.model !== undefined && models.size < MOST_MODELS) models.add(node.model);
      if (node.leafReason === 'depth-limit') atLimit++;
      if (node.status === 'expanded' || node.status === 'leaf') done++;
      if (isOwn(node) && own.length < MOST_NAMED) own.push(node);
      if (node.status === 'pruned') pruned.add(node);
      else if (node.status === 'failed') failed.add(node);
      else if (hasDocument(node)) branch.add(node);
      else if (node.leafReason !== 'duplicate') open.add(node);
    }
    documents += branch.count;
    below.set(topic, branch.count - (hasDocument(topic) ? 1 : 0));
    if (branch.count > 0) branches.push(branch.named);
  }
  return {
    documents,
    done,
    own,
    best: interleaved(branches),
    below,
    open,
    failed,
    pruned,
    models: [...models],
    atLimit,
  };
}

/** Tells whether a person asked for a document: a search gives a score to all that it proposes below the first level. */
export function isOwn(node: TreeNode): boolean {
  return node.depth > 1 && node.evaluation === undefined && hasDocument(node);
}

/** A node and everything below it that is not pruned; of a pruned branch only its top. */
function* keptNodes(top: TreeNode): Generator<TreeNode> {
  const stack: TreeNode[] = [top];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    if (node.status === 'pruned') continue;
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i] as TreeNode);
  }
}

/** The first few of many nodes, in an order; among equals those that came first. */
class Best implements Group {
  count = 0;
  readonly #order: (a: TreeNode, b: TreeNode) => number;
  readonly #most: number;
  #kept: TreeNode[] = [];

  constructor(order: (a: TreeNode, b: TreeNode) => number, most: number = MOST_NAMED) {
    this.#order = order;
    this.#most = most;
  }

  get named(): TreeNode[] {
    return this.#kept.sort(this.#order).slice(0, this.#most);
  }

  add(node: TreeNode): void {
    this.count++;
    this.#kept.push(node);
    if (this.#kept.length > 8 * this.#most) this.#kept = this.named;
  }
}

function inTheirOrder(): number {
  return 0;
}

function byExpectation(a: TreeNode, b: TreeNode): number {
  return scoreOf(b) - scoreOf(a) || a.depth - b.depth;
}

/** A first-level document has the overview of its branch; below it, the highest score comes first. */
function byWorth(a: TreeNode, b: TreeNode): number {
  return Number(b.depth === 1) - Number(a.depth === 1) || byExpectation(a, b);
}

function scoreOf(node: TreeNode): number {
  return node.evaluation?.score ?? -1;
}

function interleaved(branches: readonly TreeNode[][]): TreeNode[] {
  const best: TreeNode[] = [];
  for (let round = 0; best.length < MOST_READ; round++) {
    const next = branches.flatMap((branch) => branch[round] ?? []).sort(byExpectation);
    if (next.length === 0) break;
    best.push(...next.slice(0, MOST_READ - best.length));
  }
  return best;
}

/** Something that documents cite: a web page, or a file of the workspace. */
export interface Source {
  /** In the form for a link. */
  readonly link: string;
  /** For a page, a document's name for it; for a file, its path in the workspace. Text of a model. */
  readonly name: string;
  /** For a page, its host. */
  readonly host: string | undefined;
  /** The number of times that it is cited, and of documents that cite it. */
  readonly times: number;
  readonly documents: number;
}

/** Returns the documents' sources, each once: those that most of them cite first, else in the documents' order. */
export function sourcesOf(tree: Tree, folder: string, digests: readonly Digest[]): Source[] {
  const sources = new Map<
    string,
    { link: string; name: string; host: string | undefined; times: number; in: Set<string> }
  >();
  for (const { path, mentions } of digests)
    for (const { target, label } of mentions) {
      const found = webSource(target, label) ?? fileSource(tree, folder, path, target);
      if (!found) continue;
      const source = sources.get(found.link) ?? { ...found, times: 0, in: new Set() };
      source.times++;
      source.in.add(path);
      if (source.name === '') source.name = found.name;
      sources.set(found.link, source);
    }
  return [...sources.values()]
    .map(({ in: documents, ...source }) => ({ ...source, documents: documents.size }))
    .sort((a, b) => b.documents - a.documents || b.times - a.times);
}

function webSource(target: string, label: string): Pick<Source, 'link' | 'name' | 'host'> | undefined {
  const link = webAddress(target);
  if (link === undefined) return undefined;
  const name = /^(?:https?:\/\/|www\.)/i.test(label.trim()) ? '' : label.trim();
  return { link, name, host: new URL(link).host };
}

function fileSource(
  tree: Tree,
  folder: string,
  path: string,
  target: string,
): Pick<Source, 'link' | 'name' | 'host'> | undefined {
  const place = placeOf(tree, folder, path, target);
  return place && !place.node ? { link: place.file, name: place.name, host: undefined } : undefined;
}

/** Returns the pages that documents cite, in the form for links. */
export function citedPages(digests: readonly Digest[]): Set<string> {
  return new Set(digests.flatMap(({ mentions }) => mentions.flatMap(({ target }) => webAddress(target) ?? [])));
}
