import { isPruned, lineageOf, type Tree, type TreeNode, walk } from '../../../core/tree/tree.ts';
import { byEnd, byPromise, championOf, comparedWith, isEnd, sourcesOf } from './comparisons.ts';
import { isClaimed, isCombined, MADE_FROM, type Place } from './thought-place.ts';
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

/** The complete solutions worth comparing: the best of each way that differs from the first step on. */
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

/** The next pair: whichever won so far, and the next one; after the last, a second judgement of what won. */
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

/** One of the best and those whose parts it should take over, unless that was tried. */
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
