import { isPruned, type TreeNode } from '../../../core/tree/tree.ts';

/**
 * Where a node stands for the strategies: still to be judged; judged, but no choice made; chosen; passed over for now;
 * worked on; a path's end that may be an answer; a solution.
 */
export type Place = 'pending' | 'undecided' | 'kept' | 'aside' | 'expanded' | 'finished' | 'solved';

/** Where something can still be gone on with. */
export const OPEN: ReadonlySet<Place> = new Set<Place>(['pending', 'undecided', 'kept', 'aside']);

/** Where an unscored thought stands in the order: in the middle. It is a place, never said to be a score. */
const NEUTRAL = 5;

/** What a node is worth in the order of nodes. */
export function worthOf(node: TreeNode): number {
  return node.evaluation?.score ?? NEUTRAL;
}

/** Of nodes that are worth the same, the one that the judge ranked higher comes first. */
export function byRank(a: TreeNode, b: TreeNode): number {
  return rankOf(a) - rankOf(b);
}

/** Where a judge ranked it, on average, from 1; behind all others where none did. */
export function rankOf({ evaluation }: TreeNode): number {
  return evaluation?.rank ?? UNRANKED;
}

const UNRANKED = 1_000_000;

/** How often thoughts were asked for at a node. A clone has no journal to tell; one time then, if any came. */
export function triesOf(node: TreeNode): number {
  return node.tries ?? (node.listed ? 1 : 0);
}

/** How many judgements a thought's score is the mean of. */
export function judgementsOf({ evaluation }: TreeNode): number {
  return evaluation?.votes?.length ?? (evaluation ? 1 : 0);
}

/**
 * Where a node stands as its fields say; undefined where there is nothing to do at it.
 * @param hasGoalTest whether something beside a score tells what a solution is
 */
export function placeIn(node: TreeNode, hasGoalTest: boolean): Place | undefined {
  const { parent } = node;
  if (!parent) return node.listed ? 'expanded' : undefined;
  if (isPruned(node)) return undefined;
  if (node.status === 'expanded') return 'expanded';
  // What a run that was killed has made of a node in part counts once it is made.
  if (parent.parent ? parent.status !== 'expanded' : !parent.listed) return undefined;
  if (node.status === 'leaf') return placeOfLeaf(node, hasGoalTest);
  if (node.status !== 'unexpanded') return undefined;
  if (node.selected === false) return 'aside';
  if (node.selected === true) return 'kept';
  return node.evaluation || node.unscored ? 'undecided' : 'pending';
}

function placeOfLeaf({ leafReason }: TreeNode, hasGoalTest: boolean): Place | undefined {
  if (leafReason === 'solved') return 'solved';
  if (leafReason === 'duplicate') return undefined;
  if (!hasGoalTest) return 'finished';
  return leafReason === 'model' ? 'expanded' : undefined;
}
