import * as z from 'zod';
import { byPosition } from '../../../core/tree/by-position.ts';
import { isPruned, lineageOf, type Tree, type TreeNode } from '../../../core/tree/tree.ts';
import { thoughtId } from '../thought-id.ts';
import { byRank, isClaimed, isCombined, MADE_FROM } from './thought-place.ts';

/** The comparison of a whole solution with a better one, kept with its judgement. */
const Comparison = z.object({
  /** The id of the other one. */
  with: z.string(),
  result: z.enum(['better', 'worse', 'even']),
  why: z.array(z.string()).catch([]),
  /** The strengths of the one that was not better, which the other should take over. */
  take_over: z.array(z.string()).catch([]),
});
export type Comparison = z.infer<typeof Comparison>;

const Comparisons = z.array(Comparison).catch([]);

/** Returns the comparisons of a node with others. */
export function comparisonsOf({ evaluation }: TreeNode): Comparison[] {
  return evaluation?.['compared'] === undefined ? [] : Comparisons.parse(evaluation['compared']);
}

/** Returns a node's comparison with another one; undefined if they were not compared. */
export function comparedWith(node: TreeNode, other: TreeNode): Comparison | undefined {
  const own = comparisonsOf(node).find((each) => each.with === thoughtId(other));
  if (own) return own;
  const others = comparisonsOf(other).find((each) => each.with === thoughtId(node));
  return others && { ...others, with: thoughtId(other), result: OPPOSITE[others.result] };
}

const OPPOSITE = { better: 'worse', worse: 'better', even: 'even' } as const;

/** The nodes that a node was made from, as far as they are still there, in order. */
export function sourcesOf(tree: Tree, node: TreeNode): TreeNode[] {
  if (!isCombined(node)) return [];
  return tree.links.from(node).flatMap(({ type, to }) => (type === MADE_FROM && to ? [to] : []));
}

/** Everything that a node rests on: those above it, and what they were made from; each before what rests on it. */
export function restsOn(tree: Tree, node: TreeNode): TreeNode[] {
  const found = new Set<TreeNode>();
  const add = (each: TreeNode): void => {
    for (const above of lineageOf(each)) {
      if (found.has(above)) continue;
      for (const source of sourcesOf(tree, above)) if (source !== node) add(source);
      found.add(above);
    }
  };
  add(node);
  return [...found];
}

/** Tells whether a path ends at a node: there, or by a judge's word. A task's own word counts, where it has one. */
export function isEnd(node: TreeNode, hasGoalTest: boolean): boolean {
  const { leafReason } = node;
  if (leafReason === 'solved') return true;
  if (hasGoalTest) return false;
  return leafReason === 'depth-limit' || leafReason === 'model' || isClaimed(node);
}

/** The better end first, before they are compared: solutions, then what the judge scored and ranked higher. */
export function byEnd(a: TreeNode, b: TreeNode): number {
  return solved(b) - solved(a) || byPromise(a, b);
}

/** The better one first: by its score, then by a judge's ranking, which only compares within one depth. */
export function byPromise(a: TreeNode, b: TreeNode): number {
  const score = ({ evaluation }: TreeNode): number => evaluation?.score ?? -1;
  return score(b) - score(a) || b.depth - a.depth || byRank(a, b) || byPosition(a, b);
}

function solved({ leafReason }: TreeNode): number {
  return leafReason === 'solved' ? 1 : 0;
}

/**
 * The best of several ends: the first by score, unless it lost against another; then what it was combined to, if that is as
 * good. Solutions stay before what is none.
 * @param ends in the order of `byEnd`
 */
export function championOf(tree: Tree, ends: readonly TreeNode[]): TreeNode | undefined {
  const single = ends.filter((end) => !isCombined(end));
  let [best] = single.length > 0 ? single : ends;
  for (const each of single)
    if (best && solved(each) === solved(best) && comparedWith(each, best)?.result === 'better') best = each;
  const from = best;
  return ends.find((end) => from && isCombined(end) && stands(tree, end, from)) ?? best;
}

/** Tells whether a combined solution may stand for the best one that it was made from. */
function stands(tree: Tree, end: TreeNode, best: TreeNode): boolean {
  if (isPruned(end) || !sourcesOf(tree, end).includes(best)) return false;
  if (solved(end) !== solved(best)) return solved(end) > solved(best);
  return solved(end) === 1 || (end.evaluation?.score ?? -1) >= (best.evaluation?.score ?? 0);
}
