import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Message } from '../../core/messages/message.ts';
import { formatTokens, formatUsd } from '../../core/money/figures.ts';
import type { ReadStore } from '../../core/ports/store.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import { stateWords } from '../../core/search/messages.ts';
import type { SearchState } from '../../core/search/record/search-state.ts';
import { oneLine } from '../../core/text/text.ts';
import type { NodeStatus } from '../../core/tree/node-file.ts';
import { nearestNode, nodeAt, pathOf, type TreeNode, walk } from '../../core/tree/tree.ts';
import type { Kinds } from '../../engine/kind.ts';
import { momentIn } from '../../store/past/moment.ts';
import type { SearchOverview } from '../reader/search-overview.ts';
import * as say from './messages.ts';
import { overviewAt } from './past-overview.ts';
import { logOf } from './search-log.ts';

/** One of two searches, moments or nodes that are compared. */
export interface Side {
  readonly overview: SearchOverview;
  readonly node: TreeNode;
}

/** What is known of one side, in numbers. */
export interface SideFigures {
  readonly folder: string;
  /** Slug path; empty for the search as a whole. */
  readonly node: string;
  /** The number of the event, if it is a moment. */
  readonly event?: number | undefined;
  readonly state: SearchState;
  readonly models: readonly string[];
  readonly nodes: number;
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
}

/** A value on either side. */
export interface Both<T> {
  readonly a: T;
  readonly b: T;
}

/** A node that is on both sides, and differs. */
interface ChangedNode {
  readonly paths: Both<string>;
  readonly title: Both<string>;
  readonly status?: Both<NodeStatus> | undefined;
  readonly score?: Both<number | undefined> | undefined;
  readonly note?: Both<string | undefined> | undefined;
  /** The paragraphs of its document that are on one side alone, in order; none where only one side has a document. */
  readonly paragraphs: readonly { readonly side: 'a' | 'b'; readonly text: string }[];
}

/** A branch that is on one side alone. */
interface LoneBranch {
  readonly side: 'a' | 'b';
  readonly path: string;
  readonly title: string;
  readonly nodes: number;
}

/** Where two searches part: what is first on either side that is not on the other. */
interface Divergence {
  /** The number of the last event that both have; undefined for two of the same question that have none in common. */
  readonly after?: number;
  /** The title of the first node of those two that differs, in the order of the tree. */
  readonly at?: string;
  readonly a: Message | undefined;
  readonly b: Message | undefined;
}

export interface SearchComparison {
  readonly a: SideFigures;
  readonly b: SideFigures;
  /** Undefined for searches that have neither an event nor their question in common. */
  readonly divergence: Divergence | undefined;
  /** How many nodes are the same on both sides. */
  readonly same: number;
  readonly changed: readonly ChangedNode[];
  readonly alone: readonly LoneBranch[];
}

/**
 * Compares two searches, two moments of one, or two nodes, as `compareSides` does.
 * @param a the path of a search or of a node's folder, with a moment or without
 */
export async function compareSearches(kinds: Kinds, a: string, b: string): Promise<SearchComparison> {
  return await compareSides({ a: await sideOf(kinds, a), b: await sideOf(kinds, b) });
}

/** Compares two nodes and all below. Nodes are matched by id, then by title where those above are matched, then by content. */
export async function compareSides(sides: Both<Side>): Promise<SearchComparison> {
  const pairs = await pairsOf(sides);
  const [changed, same] = await changesIn(sides, pairs);
  const alone = (['a', 'b'] as const).flatMap((side) => loneBranches(sides[side].node, side, pairs));
  const divergence = (await divergenceOf(sides)) ?? firstDifference(sides, pairs, changed);
  return { a: figuresOf(sides.a), b: figuresOf(sides.b), divergence, same, changed, alone };
}

/** Reads a search, or a node of it, as one side. @param folder with a moment or without */
export async function readSide(kinds: Kinds, folder: string, path: string): Promise<Side> {
  const overview = await overviewAt(kinds, folder);
  return { overview, node: nearestNode(overview.tree, path) };
}

/** Returns the search that a path is in, and the node that it leads to. */
async function sideOf(kinds: Kinds, named: string): Promise<Side> {
  const past = momentIn(resolve(named));
  const whole = past?.folder ?? resolve(named);
  let folder = whole;
  while (!existsSync(join(folder, 'search.json'))) {
    if (dirname(folder) === folder) throw new ThoughtTreeError('not-found', say.noSearchAt({ path: named }));
    folder = dirname(folder);
  }
  const overview = await overviewAt(kinds, past ? `${folder}@${past.moment}` : folder);
  const path = relative(folder, whole).split(sep).join('/');
  const node = nodeAt(overview.tree, path);
  if (!node) throw new ThoughtTreeError('not-found', say.noNodeAt({ path: named }));
  return { overview, node };
}

function figuresOf({ overview, node }: Side): SideFigures {
  const { folder, state, results, model, judge, reader, tree } = overview;
  const { calls, tokens, usd } = results;
  return {
    folder,
    node: pathOf(node),
    ...(reader.at && { event: reader.at.seq }),
    state,
    models: [model, judge].filter((name) => name !== undefined),
    nodes: node.parent ? [...walk(node)].length : tree.size,
    calls,
    // Those from a cache are among those of prompts.
    tokens: tokens.prompt + tokens.completion,
    usd,
  };
}

type Pairs = ReadonlyMap<TreeNode, TreeNode>;

/** Matches nodes, both ways. */
async function pairsOf({ a, b }: Both<Side>): Promise<Pairs> {
  const pairs = new Map<TreeNode, TreeNode>();
  const pair = (one: TreeNode, other: TreeNode): void => {
    if (pairs.has(one) || pairs.has(other)) return;
    pairs.set(one, other).set(other, one);
  };
  pair(a.node, b.node);
  const [inA, inB] = [[...walk(a.node)], [...walk(b.node)]];
  const byId = new Map(inB.flatMap((node) => (node.fileId === undefined ? [] : [[node.fileId, node] as const])));
  for (const node of inA) {
    const same = node.fileId === undefined ? undefined : byId.get(node.fileId);
    if (same) pair(node, same);
  }
  // Those above come first, so that a branch is matched from its top.
  for (const node of inA) {
    const above = pairs.get(node);
    if (above) pairByTitle(node, above, pairs, pair);
  }
  const left = async ({ overview: { store } }: Side, nodes: readonly TreeNode[]) => {
    const found = new Map<string, TreeNode>();
    for (const node of nodes.filter((each) => each.parent && !pairs.has(each)).slice(0, MOST_READ)) {
      const hash = await store.readDocumentHash(pathOf(node));
      if (hash !== undefined) found.set(hash, node);
    }
    return found;
  };
  const ofB = await left(b, inB);
  for (const [hash, node] of ofB.size > 0 ? await left(a, inA) : []) {
    const same = ofB.get(hash);
    if (same) pair(node, same);
  }
  return pairs;
}

/** Documents of nodes without a match that are read to find one. */
const MOST_READ = 5000;

/** Matches the children of two nodes, of equal titles the first with the first. */
function pairByTitle(a: TreeNode, b: TreeNode, pairs: Pairs, pair: (one: TreeNode, other: TreeNode) => void): void {
  const left = a.children.filter((child) => !pairs.has(child));
  if (left.length === 0) return;
  const byTitle = Map.groupBy(b.children.filter((child) => !pairs.has(child)).reverse(), titleOf);
  for (const child of left) {
    const same = byTitle.get(titleOf(child))?.pop();
    if (same) pair(child, same);
  }
}

function titleOf({ title }: TreeNode): string {
  return title.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Returns the pairs that differ, in the order of the first tree, and the number of those that do not. */
async function changesIn({ a, b }: Both<Side>, pairs: Pairs): Promise<[ChangedNode[], number]> {
  const changed: ChangedNode[] = [];
  let same = 0;
  for (const node of walk(a.node)) {
    const other = pairs.get(node);
    if (!other || (!node.parent && !other.parent)) continue;
    const change = await changeOf(a.overview.store, node, b.overview.store, other);
    if (change) changed.push(change);
    else same++;
  }
  return [changed, same];
}

async function changeOf(
  storeA: ReadStore,
  a: TreeNode,
  storeB: ReadStore,
  b: TreeNode,
): Promise<ChangedNode | undefined> {
  const paths = { a: pathOf(a), b: pathOf(b) };
  const [hashA, hashB] = await Promise.all([storeA.readDocumentHash(paths.a), storeB.readDocumentHash(paths.b)]);
  // A document that one side has not written yet is not listed word by word: the status says so.
  const areBothWritten = hashA !== undefined && hashB !== undefined;
  const paragraphs =
    hashA === hashB || !areBothWritten
      ? []
      : paragraphsBetween(await storeA.readDocument(paths.a), await storeB.readDocument(paths.b));
  const status = differing(a.status, b.status);
  const score = differing(a.evaluation?.score, b.evaluation?.score);
  const note = differing(a.file?.note, b.file?.note);
  if (a.title === b.title && !status && !score && !note && hashA === hashB) return undefined;
  return { paths, title: { a: a.title, b: b.title }, status, score, note, paragraphs };
}

function differing<T>(a: T, b: T): Both<T> | undefined {
  return a === b ? undefined : { a, b };
}

/** More paragraphs are not aligned: both texts are then given as a whole. */
const MOST_PARAGRAPHS = 400;

/** Returns the paragraphs that only one of two texts has, by their longest common sequence, in order. */
export function paragraphsBetween(a = '', b = ''): { side: 'a' | 'b'; text: string }[] {
  const [left, right] = [paragraphsIn(a), paragraphsIn(b)];
  const only = (side: 'a' | 'b', texts: readonly string[]) => texts.map((text) => ({ side, text }));
  if (left.length > MOST_PARAGRAPHS || right.length > MOST_PARAGRAPHS) return [...only('a', left), ...only('b', right)];
  const width = right.length + 1;
  const longest = new Uint16Array((left.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] as number;
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      longest[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const found: { side: 'a' | 'b'; text: string }[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) [i, j] = [i + 1, j + 1];
    else if (j >= right.length || (i < left.length && at(i + 1, j) >= at(i, j + 1)))
      found.push({ side: 'a', text: left[i++] as string });
    else found.push({ side: 'b', text: right[j++] as string });
  }
  return found;
}

function paragraphsIn(text: string): string[] {
  return text
    .split(/\r?\n[ \t]*\r?\n/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Returns the highest nodes without a match; a branch with a match somewhere below it is not counted as one. */
function loneBranches(top: TreeNode, side: 'a' | 'b', pairs: Pairs): LoneBranch[] {
  const found = new Map<TreeNode, LoneBranch & { nodes: number }>();
  /** The branch that each node without a match is in. */
  const branches = new Map<TreeNode, TreeNode>();
  for (const node of walk(top)) {
    if (pairs.has(node) || !node.parent) continue;
    const branch = branches.get(node.parent) ?? node;
    branches.set(node, branch);
    const lone = found.get(branch) ?? { side, path: pathOf(branch), title: branch.title, nodes: 0 };
    lone.nodes++;
    found.set(branch, lone);
  }
  return [...found.values()];
}

/** Returns what differs first, in the order of the tree, between two searches of the same question. */
function firstDifference({ a, b }: Both<Side>, pairs: Pairs, changed: readonly ChangedNode[]): Divergence | undefined {
  const [{ file: fileA }, { file: fileB }] = [a.overview, b.overview];
  if (fileA.prompt !== fileB.prompt || fileA.kind !== fileB.kind) return undefined;
  const byPath = new Map(changed.map((each) => [each.paths.a, each]));
  const isAlone = (node: TreeNode): boolean => !pairs.has(node);
  for (const node of walk(a.node)) {
    const other = pairs.get(node);
    if (!other) continue;
    const change = byPath.get(pathOf(node));
    if (change) return { at: node.title, ...differenceIn(change) };
    const [onlyA, onlyB] = [node.children.find(isAlone), other.children.find(isAlone)];
    if (onlyA || onlyB)
      return {
        at: node.title,
        a: onlyA && say.isBelow({ title: oneLine(onlyA.title, LONGEST_TITLE) }),
        b: onlyB && say.isBelow({ title: oneLine(onlyB.title, LONGEST_TITLE) }),
      };
  }
  return undefined;
}

function differenceIn({ title, status, score, paragraphs, note }: ChangedNode): Both<Message | undefined> {
  const both = <T>({ a, b }: Both<T | undefined>, words: (value: T) => Message): Both<Message | undefined> => ({
    a: a === undefined ? undefined : words(a),
    b: b === undefined ? undefined : words(b),
  });
  if (title.a !== title.b) return both(title, (text) => say.isCalled({ title: oneLine(text, LONGEST_TITLE) }));
  if (status) return both(status, (to) => say.becameStatus({ status: to }));
  if (score) return both(score, (value) => say.scored({ score: value }));
  const [a, b] = (['a', 'b'] as const).map((side) => paragraphs.find((each) => each.side === side)?.text);
  if (a === undefined && b === undefined && note) return both(note, () => say.otherNote());
  return both({ a, b }, (text) => say.documentSays({ text: oneLine(text, LONGEST_PARAGRAPH) }));
}

async function divergenceOf({ a, b }: Both<Side>): Promise<Divergence | undefined> {
  const [left, right] = await Promise.all([a.overview.store.readJournal(), b.overview.store.readJournal()]);
  let common = 0;
  while (common < left.length && common < right.length && isSame(left[common], right[common])) common++;
  if (common === 0) return undefined;
  const after = (left[common - 1] as JournalEvent).seq;
  if (common === left.length && common === right.length) return undefined;
  const first = ({ overview }: Side, journal: readonly JournalEvent[]): Message | undefined =>
    logOf(overview.file.title, journal).find(({ seq }) => seq > after)?.say;
  return { after, a: first(a, left), b: first(b, right) };
}

function isSame(a: JournalEvent | undefined, b: JournalEvent | undefined): boolean {
  return a?.seq === b?.seq && a?.time === b?.time && JSON.stringify(a) === JSON.stringify(b);
}

/** One line of a comparison: what it is about (`~` differs, `-` is in A alone, `+` in B alone), and its words. */
export interface ComparisonLine {
  readonly sign: 'A' | 'B' | '~' | '-' | '+' | '';
  readonly text: string;
  /** It is a paragraph of the node above it. */
  readonly isParagraph?: true;
}

/** Longer paragraphs and titles are cut, in characters. */
const LONGEST_PARAGRAPH = 300;
const LONGEST_TITLE = 200;

/** Returns what differs, line by line, for every host; the words of a model in it are in one line each. */
export function comparisonLines(
  { divergence, same, changed, alone }: SearchComparison,
  show: (words: Message) => string,
): ComparisonLine[] {
  const lines: ComparisonLine[] = [];
  if (divergence) {
    const { after: event, at = '', a, b } = divergence;
    const title = oneLine(at, LONGEST_TITLE);
    lines.push({ sign: '', text: show(event === undefined ? say.differsAt({ title }) : say.divergedAfter({ event })) });
    lines.push({ sign: 'A', text: show(a ?? say.nothingMore()) }, { sign: 'B', text: show(b ?? say.nothingMore()) });
  }
  for (const { title, paths, status, score, note, paragraphs } of changed) {
    const figures = [
      title.a === title.b ? undefined : `${oneLine(title.a, LONGEST_TITLE)} → ${oneLine(title.b, LONGEST_TITLE)}`,
      paths.a === paths.b ? undefined : `${paths.a} → ${paths.b}`,
      status && `${status.a} → ${status.b}`,
      score && `${score.a ?? '–'} → ${score.b ?? '–'}`,
      note && show(say.otherNote()),
    ].filter((each) => each !== undefined);
    lines.push({ sign: '~', text: [oneLine(title.b, LONGEST_TITLE), ...figures].join(' · ') });
    for (const { side, text } of paragraphs)
      lines.push({ sign: side === 'a' ? '-' : '+', text: oneLine(text, LONGEST_PARAGRAPH), isParagraph: true });
  }
  for (const { side, title, nodes } of alone) {
    const more = nodes > 1 ? ` (${show(say.nodesOf({ count: nodes }))})` : '';
    lines.push({ sign: side === 'a' ? '-' : '+', text: `${oneLine(title, LONGEST_TITLE)}${more}` });
  }
  lines.push({ sign: '', text: show(say.nodesAlike({ count: same })) });
  return lines;
}

/** Returns what a side is in numbers, in a line. @param place how the host names its search */
export function figuresLine(side: SideFigures, place: string, show: (words: Message) => string): string {
  const { node, state, models, nodes, calls, tokens, usd } = side;
  const used = say.tokensOf({ tokens: formatTokens(tokens) });
  const counted = [say.nodesOf({ count: nodes }), say.callsOf({ count: calls }), used].map(show);
  const named = node === '' ? place : `${place} ${node}`;
  return [named, show(stateWords[state]()), ...models, ...counted, formatUsd(usd)].join(' · ');
}
