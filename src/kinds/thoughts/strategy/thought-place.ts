import { isPruned, type TreeNode } from '../../../core/tree/tree.ts';

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

/** Where a judge ranked it, on average, from 1; behind all others where none did. */
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
