import { digest } from '../../core/text/text.ts';
import { isSlug } from '../../core/tree/slug.ts';
import { isPruned, pathOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';

const ID = /^node((?:_[1-9]\d{0,8})+)$/;
const LONGEST_PATH = 200;

/**
 * The slug of a thought, which is the source's id: `node_2` below the root, `node_2_1` below that. If the path would
 * exceed 200 characters, which happens only in very deep trees, its last number alone.
 * @param parentPath slug path of the parent, empty for the root
 * @param number from 1
 */
export function thoughtSlug(parentPath: string, number: number): string {
  const parent = parentPath.split('/').at(-1) ?? '';
  const numbers = ID.exec(parent)?.[1] ?? '';
  const slug = `node${numbers}_${number}`;
  if (parentPath.length + 1 + slug.length <= LONGEST_PATH && isSlug(slug)) return slug;
  return `node_${number}`;
}

/** Returns the last number of a thought's slug; 0 for a folder that a person named. */
export function thoughtNumber(slug: string): number {
  return ID.test(slug) ? Number(slug.slice(slug.lastIndexOf('_') + 1)) : 0;
}

/** Returns the next free number below a node. */
export function nextNumber(parent: TreeNode): number {
  return parent.children.reduce((most, { slug }) => Math.max(most, thoughtNumber(slug)), 0) + 1;
}

/** Returns a node's name in messages: `root`, its slug if that shows its place, else its path. */
export function thoughtId(node: TreeNode): string {
  if (!node.parent) return 'root';
  const isWhole = ID.test(node.slug) && node.slug.split('_').length === node.depth + 1;
  return isWhole ? node.slug : pathOf(node);
}

/** Returns the conversation of one of several draws of a round at a node, beside the node's own. */
export function drawSession(session: string, round: number, draw: number): string {
  return `${session}-r${round}-${draw}`;
}

/**
 * Returns the conversation of one of several rounds at a node that are asked for side by side, beside the node's own.
 */
export function roundSession(session: string, round: number): string {
  return `${session}-r${round}`;
}

/** Returns the conversation in which a combined thought is written. */
export function combineSession({ fileId = '' }: TreeNode): string {
  return `combine-${digest(fileId)}`;
}

/**
 * The state of a node for the strategies: still to be written, from others that are combined; still to be judged; judged, but
 * not decided; chosen; passed over for now; worked on; a path's end that may be an answer; a solution by the word of one
 * judge; a solution.
 */
export type Place =
  | 'unwritten'
  | 'pending'
  | 'undecided'
  | 'kept'
  | 'aside'
  | 'expanded'
  | 'finished'
  | 'claimed'
  | 'solved';

/** The states from which a node can still be continued. */
export const OPEN: ReadonlySet<Place> = new Set<Place>(['pending', 'undecided', 'kept', 'aside', 'claimed']);

/** The place of an unscored thought in the order: the middle. It is only used for sorting, and never shown as a score. */
const NEUTRAL = 5;

/** Returns a node's worth in the order of nodes. */
export function worthOf(node: TreeNode): number {
  return node.evaluation?.score ?? NEUTRAL;
}

/** Among nodes of equal worth, the one that the judge ranked higher comes first. */
export function byRank(a: TreeNode, b: TreeNode): number {
  return rankOf(a) - rankOf(b);
}

/** Returns where a judge ranked it, on average, from 1; behind all others where none did. */
export function rankOf({ evaluation }: TreeNode): number {
  return evaluation?.rank ?? UNRANKED;
}

const UNRANKED = 1_000_000;

/** Counts the judgements that a thought's score is the mean of. */
export function judgementsOf({ evaluation }: TreeNode): number {
  return evaluation?.votes?.length ?? (evaluation ? 1 : 0);
}

/**
 * The state of a node, derived from its fields; undefined if there is nothing to do at it.
 * @param hasGoalTest whether something other than a score decides what a solution is
 */
export function placeIn(node: TreeNode, hasGoalTest: boolean): Place | undefined {
  const { parent } = node;
  if (!parent) return node.listed ? 'expanded' : undefined;
  if (isPruned(node)) return undefined;
  if (node.status === 'expanded') return 'expanded';
  // A round that a killed run left incomplete at a node counts once it is completed.
  if (parent.parent ? parent.status !== 'expanded' : !parent.listed) return undefined;
  if (node.status === 'leaf') return placeOfLeaf(node, hasGoalTest);
  if (node.status !== 'unexpanded') return undefined;
  if (node.document === undefined && isCombined(node)) return 'unwritten';
  if (!hasGoalTest && isClaimed(node)) return 'claimed';
  if (node.selected === false) return 'aside';
  if (node.selected === true) return 'kept';
  return node.evaluation || node.unscored ? 'undecided' : 'pending';
}

/** Tells whether one judge, and so far no second one, calls it a solution. */
export function isClaimed({ status, evaluation }: TreeNode): boolean {
  return status === 'unexpanded' && evaluation?.solution === true && evaluation.confirmed === undefined;
}

/** The link from a thought to one of those that it was made from. */
export const MADE_FROM = 'made-from';

/** Tells whether a thought was made from others, beside the one above it. */
export function isCombined({ links }: TreeNode): boolean {
  return links.some(({ type }) => type === MADE_FROM);
}

function placeOfLeaf({ leafReason }: TreeNode, hasGoalTest: boolean): Place | undefined {
  if (leafReason === 'solved') return 'solved';
  if (leafReason === 'duplicate') return undefined;
  if (!hasGoalTest) return 'finished';
  return leafReason === 'model' ? 'expanded' : undefined;
}

/** The rounds of asking for thoughts at a node, as far as the journal tells. */
interface Rounds {
  readonly tries?: number | undefined;
  /** The numbers of further rounds that were begun and not completed. */
  readonly begun?: readonly number[] | undefined;
}

export function roundsOf({ derived = {} }: TreeNode): Rounds {
  return derived;
}

/** Counts the times that thoughts were asked for at a node. A clone has no journal: then once, if there are any. */
export function triesOf(node: TreeNode): number {
  return roundsOf(node).tries ?? (node.listed ? 1 : 0);
}

/** Returns the numbers of the further rounds at a node that were begun and not completed. */
export function roundsBegun(node: TreeNode): readonly number[] {
  return roundsOf(node).begun ?? [];
}

/** Returns the number of a further round at a node that was not begun yet. */
export function nextRound(node: TreeNode): number {
  return Math.max(triesOf(node), ...roundsBegun(node)) + 1;
}

/** A further round at a node begins. */
export function beginRound(tree: Tree, node: TreeNode, round: number): void {
  const begun = roundsBegun(node).filter((each) => each !== round);
  tree.update(node, { derived: { ...roundsOf(node), begun: [...begun, round] } });
}

/** Shared by the many nodes that were asked once. */
const ONCE: Rounds = { tries: 1 };

/** A round at a node is complete. */
export function endRound(tree: Tree, node: TreeNode, round: number): void {
  const begun = roundsBegun(node).filter((each) => each !== round);
  const tries = Math.max(roundsOf(node).tries ?? 0, round);
  tree.update(node, { derived: begun.length > 0 ? { tries, begun } : tries === 1 ? ONCE : { tries } });
}
