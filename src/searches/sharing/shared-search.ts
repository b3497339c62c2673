import { posix } from 'node:path';
import type { KindDescriptor } from '../../core/kind/kind-descriptor.ts';
import { type Message, plain } from '../../core/messages/message.ts';
import { stateOf } from '../../core/search/messages.ts';
import { parseLeniently } from '../../core/text/document.ts';
import { oneLine } from '../../core/text/text.ts';
import { statusWords } from '../../core/tree/messages.ts';
import { bestPathOf, nodeAt, pathOf, type Tree, type TreeNode, walk } from '../../core/tree/tree.ts';
import { descriptorOf, type Kinds } from '../../engine/kind.ts';
import { hasDocument, placeOf, webAddress } from '../../engine-parts/report/link-target.ts';
import { moneyLine, timeLine, tokensLine } from '../../engine-parts/report/report-lines.ts';
import { scoreText, visibleText } from '../../engine-parts/report/safe-markdown.ts';
import { SecretFilter } from '../../text/secrets/secret-filter.ts';
import { editorLink, folderInWorkspace } from '../place.ts';
import { answerOf, outlineNodes, type SearchOverview } from '../reader/search-overview.ts';
import type { Show } from '../search-graph.ts';
import * as say from './messages.ts';

/** The most of a search that is shared. */
export interface Bounds {
  readonly nodes: number;
  /** All documents together, and one of them, in characters. */
  readonly characters: number;
  readonly document: number;
  readonly report: number;
}

/** A node as it is shared. */
export interface SharedNode {
  readonly node: TreeNode;
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  /** The number of children that are left out. */
  readonly hidden: number;
  /** Its document without front matter; undefined if it has none, or there is no room for it. */
  readonly body?: string;
  /** The body is only the beginning of the document. */
  readonly isCut?: boolean;
}

/** The shared parts of a search: without secrets, within bounds, the best path first. */
export interface SharedSearch {
  readonly overview: SearchOverview;
  /** Its folder relative to the workspace. */
  readonly folder: string;
  readonly title: string;
  readonly question: string;
  /** The answer of a search for a solution. */
  readonly answer: string | undefined;
  readonly report: string | undefined;
  readonly isReportCut: boolean;
  /** Parents before their children, in the order of the tree. */
  readonly nodes: readonly SharedNode[];
  readonly best: ReadonlySet<string>;
  readonly links: SharedLinks;
  /** The link by which an editor opens what is shared; undefined for a search outside of its workspace. */
  readonly opens: string | undefined;
  /** The numbers of nodes and documents there are, and of documents that are here. */
  readonly all: { readonly nodes: number; readonly documents: number };
  readonly documents: number;
  readonly secrets: number;
  readonly show: Show;
  /** Undefined for an unknown kind. */
  readonly descriptor: KindDescriptor | undefined;
}

const LONGEST_TITLE = 200;
const LONGEST_SUMMARY = 600;
const LONGEST_QUESTION = 20_000;

/** The parts besides a search that reading it for other people takes. */
interface SharedParts {
  readonly kinds: Kinds;
  readonly workspace: string;
  readonly show: Show;
  readonly bounds: Bounds;
  /** The branch that is shared; by default the whole search. */
  readonly top?: TreeNode | undefined;
}

/** Reads what is to be shared of a search, or of one branch. */
export async function sharedSearch(
  overview: SearchOverview,
  { kinds, workspace, show, bounds, top }: SharedParts,
): Promise<SharedSearch> {
  const { tree, file, folder: at, store } = overview;
  const folder = folderInWorkspace({ folder: at, workspace });
  const discreet = new Discreet();
  const root = top ?? tree.root;
  const best = bestPathOf(overview.tree, overview.reader.bestPath);
  const [title = '', answer = ''] = await discreet.lines([oneLine(file.title, LONGEST_TITLE), answerText(overview)]);
  const question = await discreet.text(visibleText(file.prompt).slice(0, LONGEST_QUESTION).trim());
  const report = top ? undefined : await store.readReport();
  const shownReport = report && (await discreet.text(visibleText(report).slice(0, bounds.report)));
  const wanted = best.flatMap((path) => nodeAt(tree, path) ?? []);
  const below = outlineNodes(tree, bounds.nodes, inBranch(wanted, root), root).filter(({ node }) => node !== top);
  const chosen = top ? [{ node: top, hidden: 0 }, ...below] : below;
  const read = await readNodes(chosen, new Set(best), { overview, discreet, bounds });
  const all = top ? [...walk(top)] : [...walk(tree.root)].filter(({ parent }) => parent);
  return {
    overview,
    folder,
    title,
    question,
    answer: answer === '' ? undefined : answer,
    report: shownReport,
    isReportCut: (report?.length ?? 0) > bounds.report,
    nodes: read.nodes,
    best: new Set(best),
    links: new SharedLinks(tree, folder),
    opens: editorLink({ folder: at, workspace }, top ? pathOf(top) : ''),
    all: { nodes: all.length, documents: all.filter(hasDocument).length },
    documents: read.documents,
    secrets: discreet.secrets,
    show,
    descriptor: descriptorOf(kinds, file.kind),
  };
}

function answerText(overview: SearchOverview): string {
  const answer = answerOf(overview);
  return typeof answer === 'object' ? oneLine(answer.text, 5000) : '';
}

function inBranch(nodes: readonly TreeNode[], root: TreeNode): TreeNode[] {
  const branch = root.parent ? `${pathOf(root)}/` : '';
  return nodes.filter((node) => node !== root && pathOf(node).startsWith(branch));
}

interface Reading {
  readonly overview: SearchOverview;
  readonly discreet: Discreet;
  readonly bounds: Bounds;
}

async function readNodes(
  chosen: readonly { readonly node: TreeNode; readonly hidden: number }[],
  best: ReadonlySet<string>,
  { overview, discreet, bounds }: Reading,
): Promise<{ nodes: SharedNode[]; documents: number }> {
  const titles = await discreet.lines(chosen.map(({ node }) => oneLine(node.title, LONGEST_TITLE)));
  const summaries = await discreet.lines(chosen.map(({ node }) => oneLine(node.summary ?? '', LONGEST_SUMMARY)));
  const nodes = chosen.map(({ node, hidden }, i): SharedNode => {
    return { node, hidden, path: pathOf(node), title: titles[i] || node.slug, summary: summaries[i] ?? '' };
  });
  const bodies = new Map<string, Pick<SharedNode, 'body' | 'isCut'>>();
  let room = bounds.characters;
  for (const { node, path } of nodes.toSorted(nearestFirst(best))) {
    if (room <= 0) break;
    const document = hasDocument(node) ? await overview.store.readDocument(path) : undefined;
    if (document === undefined) continue;
    const body = parseLeniently(document).body;
    const shown = await discreet.text(visibleText(body.slice(0, bounds.document)));
    room -= shown.length;
    // The last one would not fit as a whole.
    if (room < 0 && bodies.size > 0) break;
    bodies.set(path, { body: shown, ...(body.length > bounds.document ? { isCut: true } : {}) });
  }
  return { nodes: nodes.map((node) => ({ ...node, ...bodies.get(node.path) })), documents: bodies.size };
}

/** Returns the best path, then level by level. */
function nearestFirst(best: ReadonlySet<string>): (a: SharedNode, b: SharedNode) => number {
  return (a, b) => Number(best.has(b.path)) - Number(best.has(a.path)) || a.node.depth - b.node.depth;
}

/** The target of a link in a document, for somebody who has the document alone. */
type SharedTarget =
  | { readonly kind: 'web'; readonly address: string }
  /** Another node of the search, by its document. */
  | { readonly kind: 'node'; readonly path: string; readonly file: string }
  /** A file of the workspace: its path there, in the form for a link, with its lines. */
  | { readonly kind: 'file'; readonly file: string };

/** Follows links in the texts of one search. */
class SharedLinks {
  readonly #tree: Tree;
  /** The search's folder relative to the workspace. */
  readonly #folder: string;

  constructor(tree: Tree, folder: string) {
    this.#tree = tree;
    this.#folder = folder;
  }

  /**
   * @param from slug path of the node whose document has the link; empty for the report
   * @returns undefined for anything that does not exist outside, or must not be linked to
   */
  target(from: string, link: string): SharedTarget | undefined {
    const address = webAddress(link);
    if (address !== undefined) return { kind: 'web', address };
    const place = placeOf(this.#tree, this.#folder, from, link);
    if (!place) return undefined;
    const file = posix.join(this.#folder.split('/').map(encodeURIComponent).join('/'), place.link);
    // A file above the workspace has no path in it.
    if (/^(?:\.\.|\/)/.test(file)) return undefined;
    return place.node ? { kind: 'node', path: pathOf(place.node), file } : { kind: 'file', file };
  }

  /** Returns the target as text for a link in Markdown: relative to the workspace. */
  inWorkspace(from: string): (link: string) => string | undefined {
    return (link) => {
      const target = this.target(from, link);
      return target?.kind === 'web' ? target.address : target?.file;
    };
  }
}

/** Describes a node in a word or two: by its score, and by its state where it is not simply done. */
export function nodeFacts(node: TreeNode, isBest: boolean, descriptor: KindDescriptor | undefined): Message[] {
  const score = scoreText(node);
  return [...(score === undefined ? [] : [say.score({ score })]), ...stateFacts(node, isBest, descriptor)];
}

/** Describes a node without its score. */
export function stateFacts(node: TreeNode, isBest: boolean, descriptor: KindDescriptor | undefined): Message[] {
  const marks = marksOf(node, descriptor);
  const isDone = node.status === 'expanded' || node.status === 'leaf';
  const state = marks.length > 0 || isDone ? marks : [notDone(node)];
  return [...state, ...(isBest ? [say.best()] : [])];
}

function notDone({ status }: TreeNode): Message {
  return status === 'unexpanded' ? say.open() : statusWords[status]();
}

/** Returns the marks of its kind, where kinds have any. */
function marksOf({ file, children }: TreeNode, descriptor: KindDescriptor | undefined): Message[] {
  const below = children.map((child) => child.file?.own);
  return (descriptor?.marks?.of(file?.own, below) ?? []).map(({ text }) => plain(text));
}

/**
 * Tells the state of a search and its cost, one sentence each.
 * @param safe writes the name of a model, which may come from a clone, for where the sentences go
 */
export function figuresOf(
  { state, led, model, results, free }: SearchOverview,
  safe: (name: string) => string = (name) => name,
): Message[] {
  const said = [
    say.state({ state: stateOf({ state, led }) }),
    ...(model === undefined ? [] : [say.model({ model: safe(oneLine(model, 200)) })]),
  ];
  if (results.calls === 0) return said; // a clone has no journal, so that nothing is known of its cost
  return [
    ...said,
    say.calls({ count: results.calls }),
    tokensLine(results.tokens),
    moneyLine(results, free),
    timeLine(results.minutes),
  ];
}

/** Read like prose that may quote anything. */
const AS = 'shared.md';
/** Lines that are looked through at once. */
const LINES = 2000;

/** Leaves out of texts for other people what looks like a secret: as strictly as of what models are sent. */
export class Discreet {
  readonly #filter = new SecretFilter('/');
  /** The number of secrets that were left out so far. */
  secrets = 0;

  async text(text: string): Promise<string> {
    const hidden = await this.#filter.hide(AS, text);
    this.secrets += hidden.secrets;
    return hidden.text;
  }

  /** Does this for many texts of one line each, faster than one by one. */
  async lines(lines: readonly string[]): Promise<string[]> {
    const out: string[] = [];
    for (let at = 0; at < lines.length; at += LINES) {
      const some = lines.slice(at, at + LINES);
      out.push(...(await this.text(some.join('\n'))).split('\n'));
    }
    return out;
  }
}
