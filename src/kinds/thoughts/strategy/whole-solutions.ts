import * as z from 'zod';
import { byPosition, isPruned, lineageOf, type Tree, type TreeNode, walk } from '../../../core/tree/tree.ts';
import { byRank, isClaimed, isCombined, MADE_FROM, type Place, thoughtId } from '../thought-node.ts';
import type { Plan } from './thought-rules.ts';

/** As many complete solutions are compared at most. */
const MOST_COMPARED = 3;

interface Around {
  /** The size has room for one more expansion. */
  readonly mayExpand: boolean;
  readonly placeOf: (node: TreeNode) => Place | undefined;
}

/**
 * Plans what is left to do once there is a complete solution, where one can be better than another: a second one that
 * goes another way from the beginning; the pairs compared; what is good in those that lost combined with the best; and
 * a second judgement of what then stands. Everything follows from the tree. Undefined if nothing is left.
 */
export function nextWholeSolution(tree: Tree, { mayExpand, placeOf }: Around): Plan | undefined {
  const nodes = [...walk(tree.root)].filter((node) => node.parent && !isPruned(node));
  const ends = nodes.filter((node) => isEnd(node, false) && node.evaluation).sort(byEnd);
  if (ends.length === 0) return undefined;
  const begun = nodes.filter((node) => placeOf(node) === 'pending' && (isRest(node) || isCombined(node)));
  if (begun.length > 0) return { kind: 'evaluate', nodes: begun };
  const whole = contenders(ends);
  const another = whole.length < 2 ? anotherWay(nodes, whole, placeOf) : undefined;
  if (another && (mayExpand || isBeingCompleted(another))) return { kind: 'complete-way', nodes: [another] };
  return comparison(whole) ?? combination(tree, whole) ?? verdictOfCombined(tree, ends, whole);
}

/** Tells whether the rest of a solution is, or was, to be written below a node in one thought. */
export function isBeingCompleted({ file }: TreeNode): boolean {
  return file?.own?.['completes'] === true;
}

function isRest({ parent }: TreeNode): boolean {
  return parent !== undefined && isBeingCompleted(parent);
}

/** Returns the complete solutions worth comparing: the best of each way that differs from the first step on. */
function contenders(ends: readonly TreeNode[]): TreeNode[] {
  const ways = new Map<TreeNode | undefined, TreeNode>();
  for (const end of ends) {
    const [first] = lineageOf(end);
    if (!isCombined(end) && !ways.has(first)) ways.set(first, end);
  }
  return [...ways.values()].slice(0, MOST_COMPARED);
}

/**
 * The best thought from which another way can be completed: one without a complete solution so far. Only one is tried; a kill
 * may have left it begun.
 */
function anotherWay(
  nodes: readonly TreeNode[],
  whole: readonly TreeNode[],
  placeOf: Around['placeOf'],
): TreeNode | undefined {
  const taken = new Set(whole.map((end) => lineageOf(end)[0]));
  const isOpen = (node: TreeNode): boolean => ['undecided', 'kept', 'aside'].includes(placeOf(node) ?? '');
  const tried = nodes.filter(isBeingCompleted);
  if (tried.length > 0) return tried.find(isOpen);
  return nodes.filter((node) => isOpen(node) && !taken.has(lineageOf(node)[0])).sort(byPromise)[0];
}

/** Returns the next pair: whichever won so far, and the next one; after the last, a second judgement of what won. */
function comparison([first, ...others]: readonly TreeNode[]): Plan | undefined {
  let best = first;
  for (const each of others) {
    if (!best) return undefined;
    const known = comparedWith(each, best);
    if (!known) return { kind: 'compare-ends', nodes: [best, each] };
    if (known.result === 'better') best = each;
  }
  return verdict(best);
}

/** Returns one of the best and those whose parts it should take over, unless that was tried. */
function combination(tree: Tree, whole: readonly TreeNode[]): Plan | undefined {
  const best = championOf(tree, whole);
  if (!best || combinedFrom(tree, best).length > 0) return undefined;
  const others = whole.filter((each) => each !== best && (comparedWith(each, best)?.take_over.length ?? 0) > 0);
  return others.length > 0 ? { kind: 'combine-ends', nodes: [best, ...others] } : undefined;
}

/** Returns the thoughts that were made from a node, pruned or not. */
function combinedFrom(tree: Tree, node: TreeNode): TreeNode[] {
  return tree.links.to(node).flatMap(({ type, from }) => (type === MADE_FROM ? [from] : []));
}

function verdictOfCombined(tree: Tree, ends: readonly TreeNode[], whole: readonly TreeNode[]): Plan | undefined {
  const best = championOf(tree, whole);
  return verdict(ends.find((end) => best && isCombined(end) && isClaimed(end) && sourcesOf(tree, end).includes(best)));
}

function verdict(claimed: TreeNode | undefined): Plan | undefined {
  return claimed && isClaimed(claimed) ? { kind: 'second-verdict', nodes: [claimed] } : undefined;
}

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

/** Returns the nodes that a node was made from, as far as they are still there, in order. */
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

/** Returns the better one first: by its score, then by a judge's ranking, which only compares within one depth. */
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
