import type { Message } from '../../core/messages/message.ts';
import type { Problem, ReadStore } from '../../core/ports/store.ts';
import type { Receipt, Results } from '../../core/search/events.ts';
import type { Limits } from '../../core/search/limits.ts';
import type { Read } from '../../core/search/reading.ts';
import type { SearchRecord } from '../../core/search/record/search-record.ts';
import type { Findings, SearchState } from '../../core/search/record/search-state.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { byPosition, isPruned, lineageOf, nodeAt, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import { descriptorOf, type Kinds, type LedStanding, loadKind } from '../../engine/kind.ts';
import { lastLimits, limitsBefore } from '../../engine/limits.ts';
import { resultsOf } from '../../engine/loop.ts';
import { momentIn } from '../../store/past/moment.ts';
import type { SearchReadStore } from '../../store/search-read-store.ts';
import { FREE_MODEL, isFreeModel } from '../models/choose-model.ts';
import { ownReading, ownUse } from '../trust/own-search.ts';
import { type KindFor, SearchReader } from './search-reader.ts';

/** Who is writing a search. */
interface LiveHolder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601, if known. */
  readonly since?: string;
}

/** Everything that can be said about a search without holding it, at one moment. */
export interface SearchOverview {
  readonly folder: string;
  readonly file: SearchFile;
  readonly state: SearchState;
  /** Its progress, if somebody outside leads it. */
  readonly led: LedStanding | undefined;
  /** The model it was last run with here, else the one in its file; none that an outside leader never asked. */
  readonly model: string | undefined;
  /** The model that picks and evaluates, if different. */
  readonly judge: string | undefined;
  readonly free: boolean;
  /** The parts of the workspace that models may see if this user continues it. */
  readonly read: Read;
  /** Those of the process that runs it; of a search at rest, those that apply if this user continues it. */
  readonly limits: Limits;
  readonly tree: Tree;
  readonly results: Results;
  /** Calls under way. */
  readonly callsUnderWay: number;
  readonly holder: LiveHolder | undefined;
  /** Why it is paused or waits, in words; undefined if it is neither. */
  readonly reason: Message | undefined;
  readonly problems: readonly Problem[];
  readonly record: SearchRecord;
  /** Returns a node's origin, for kinds that keep receipts. */
  readonly receiptOf: (node: TreeNode) => Receipt | undefined;
  /** Returns the origin that its files claim. */
  readonly claimOf: (node: TreeNode) => Receipt | undefined;
  /** Opened for reading. */
  readonly store: ReadStore;
  /** For reading more. */
  readonly reader: SearchReader;
}

/**
 * Reads a search, even while another process runs it. Changes nothing.
 * @param kinds the known ones; a search of another kind can still be read
 * @param of its files, if not those of now
 * @throws ThoughtTreeError `not-found`, `damaged`, `newer-version`
 */
export async function overviewOf(kinds: Kinds, folder: string, of?: SearchReadStore): Promise<SearchOverview> {
  const known: KindFor = async (of) => descriptorOf(kinds, of.kind) && (await loadKind(kinds, of));
  const reader = await SearchReader.read({ folder, workspace: folder }, known, of);
  const tree = await reader.tree();
  const { kind, record, state, led, callsUnderWay, reason } = reader;
  const file = reader.file as SearchFile; // both exist, or reading would have thrown
  const { judge, model: named = file.model } = record;
  const model = led && record.spend.calls === 0 ? undefined : named;
  const free = [named ?? FREE_MODEL, judge ?? FREE_MODEL].every(isFreeModel);
  const usualDepth = kind?.usualDepth(file.options);
  const holder = liveHolder(reader);
  // A moment is told by the journal of today, and nobody can continue what was.
  const present = momentIn(folder)?.folder ?? folder;
  const own = await ownUse(present, undefined, reader.at);
  const before = holder || reader.at ? record.limits : limitsBefore(record.limits, own, file, usualDepth);
  const limits = lastLimits(before, file, undefined, { free }, usualDepth);
  const results = resultsOf(tree, reader.spend, 0);
  const store = reader.store as ReadStore;
  const { problems } = store;
  const read = await ownReading(present, file);
  const seen = { state, led, model, judge, free, read, limits, tree, results, callsUnderWay, reason, problems };
  const claimOf = (node: TreeNode): Receipt | undefined => kind?.extras.receiptOf?.(node);
  const receiptOf = receiptsIn(reader, own);
  return { folder, file, ...seen, holder, record, store, reader, receiptOf, claimOf };
}

/** Returns what tells a node's origin: a receipt of the engine counts only if this user's programs wrote the journal, where it is. */
export function receiptsIn(
  { kind, record }: Pick<SearchReader, 'kind' | 'record'>,
  { isHere }: { readonly isHere: boolean },
): SearchOverview['receiptOf'] {
  return (node) => {
    const receipt = kind?.extras.receiptOf?.(node, record);
    return receipt?.by === 'engine' && !isHere ? { by: 'unverified' } : receipt;
  };
}

function liveHolder({ holder }: SearchReader): LiveHolder | undefined {
  if (holder?.state !== 'alive' || !holder.file) return undefined;
  const { pid, host, since } = holder.file;
  return { pid, host, ...(since === undefined ? {} : { since }) };
}

/** Returns the results of a search for a solution, as journaled at its end. */
export function findingsOf({
  state,
  record,
  file,
}: Pick<SearchOverview, 'state' | 'record' | 'file'>): Findings | undefined {
  return state === 'finished' ? record.findings(file.kind) : undefined;
}

/**
 * The answer of a finished search for a solution: as it was written down, else the last thought of the solution.
 * @returns `none` if it found none, `unwritten` if nobody wrote it down, `pruned` if its branch was taken out since;
 *   undefined for other searches
 */
export function answerOf(
  overview: Pick<SearchOverview, 'state' | 'record' | 'file' | 'tree'>,
): { readonly text: string } | 'none' | 'unwritten' | 'pruned' | undefined {
  const findings = findingsOf(overview);
  if (!findings) return undefined;
  const last = findings.finishedPath.at(-1);
  const end = last === undefined ? undefined : nodeAt(overview.tree, last);
  if (end && isPruned(end)) return 'pruned';
  if (findings.answer !== undefined) return { text: findings.answer };
  if (last === undefined) return 'none';
  return findings.solved && end ? { text: end.title } : 'unwritten';
}

/** A node of an outline, and how many of its children the outline leaves out. */
export interface OutlineNode {
  readonly node: TreeNode;
  readonly hidden: number;
}

/**
 * At most `room` nodes of a tree, in their order: first those of `wanted`, each with those above it, as far as they fit;
 * then the rest, level by level. Visits no more of the tree than it gives.
 * @param root the branch to choose from, itself left out; by default the whole tree
 */
export function outlineNodes(
  tree: Tree,
  room: number,
  wanted: Iterable<TreeNode> = [],
  root: TreeNode = tree.root,
): OutlineNode[] {
  const shown = chosen(root, room, wanted);
  return [...shown].sort(byPosition).map((node) => ({ node, hidden: hiddenBelow(node, shown) }));
}

function chosen(root: TreeNode, room: number, wanted: Iterable<TreeNode>): Set<TreeNode> {
  const shown = new Set<TreeNode>();
  for (const node of wanted) {
    if (shown.size >= room) return shown;
    const missing = lineageOf(node).filter((each) => !shown.has(each));
    if (shown.size + missing.length <= room) for (const each of missing) shown.add(each);
  }
  const queue: TreeNode[] = [root];
  for (const node of queue) {
    for (const child of node.children) {
      if (shown.size >= room) return shown;
      shown.add(child);
      queue.push(child);
    }
  }
  return shown;
}

function hiddenBelow(node: TreeNode, shown: ReadonlySet<TreeNode>): number {
  let hidden = 0;
  for (const child of node.children) if (!shown.has(child)) hidden++;
  return hidden;
}
