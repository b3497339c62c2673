import { isPruned, lineageOf, type Tree, type TreeNode, walk } from '../../../core/tree/tree.ts';
import { factsOf, type StrategyName } from '../strategy/strategies.ts';
import { byEnd, byPromise, championOf, isEnd } from '../strategy/whole-solutions.ts';
import type { ThoughtSearch } from '../thought-search.ts';

/** The most important nodes of a tree of thoughts; pruned branches do not count. */
export interface Outcome {
  /** The end of the best solution. */
  readonly solved: TreeNode | undefined;
  /** The end of the best complete path: the solution's, else one that may be an answer. */
  readonly finished: TreeNode | undefined;
  /** The best node so far, wherever it is. */
  readonly best: TreeNode | undefined;
  /** Other ends that were reached, best first. */
  readonly alternatives: readonly TreeNode[];
}

const MOST_ALTERNATIVES = 5;

export function outcomeOf(ctx: ThoughtSearch): Outcome {
  return outcomeIn(ctx.tree, ctx.settings.task?.solved !== undefined, ctx.settings.writesDrafts);
}

/**
 * One walk through the tree.
 * @param hasGoalTest whether a task decides what a solution is, so that the end of a path alone is not one
 * @param writesDrafts whether each thought is a whole solution, and not only the end of a path
 */
export function outcomeIn(tree: Tree, hasGoalTest: boolean, writesDrafts = false): Outcome {
  const ends: TreeNode[] = [];
  let best: TreeNode | undefined;
  for (const node of aliveNodes(tree.root)) {
    const isDraft = writesDrafts && node.document !== undefined;
    if (isDraft || isEnd(node, hasGoalTest)) ends.push(node);
    if (node.evaluation && (!best || byPromise(node, best) < 0)) best = node;
  }
  ends.sort(byEnd);
  const finished = championOf(tree, ends);
  const solved = finished?.leafReason === 'solved' ? finished : undefined;
  const alternatives = ends.filter((node) => node !== finished).slice(0, MOST_ALTERNATIVES);
  return { solved, finished, best: (writesDrafts ? finished : solved) ?? best, alternatives };
}

/** A node and everything below it that is not pruned, without the root. */
function* aliveNodes(root: TreeNode): Generator<TreeNode> {
  const stack = [...root.children].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.status === 'pruned') continue;
    yield node;
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i] as TreeNode);
  }
}

/** Counts how often a search left the path that it followed; 0 with a strategy that never follows a single one. */
export function backtracks(ctx: ThoughtSearch, strategy: StrategyName): number {
  return factsOf(strategy).backtracks?.(ctx.tree) ?? 0;
}

/** The agreement of scores with the outcome of nodes. */
export interface Agreement {
  /** Pairs of a node on the way to a solution and one that was continued in vain. */
  readonly pairs: number;
  /** The share of them where the former scored higher, equal ones counting half; 0.5 is chance. */
  readonly agreed: number;
}

/** Known only if a solution was found, and something else was continued. */
export function agreementOf(ctx: ThoughtSearch): Agreement | undefined {
  const onTheWay = new Set<TreeNode>();
  for (const node of walk(ctx.tree.root))
    if (node.leafReason === 'solved' && !isPruned(node)) for (const each of lineageOf(node)) onTheWay.add(each);
  const good = [...onTheWay].flatMap(({ evaluation }) => evaluation?.score ?? []);
  const bad: number[] = [];
  for (const node of walk(ctx.tree.root))
    if (node.children.length > 0 && node.evaluation && !onTheWay.has(node)) bad.push(node.evaluation.score);
  const pairs = good.length * bad.length;
  if (pairs === 0) return undefined;
  const sorted = bad.sort((a, b) => a - b);
  const agreed = good.reduce(
    (sum, score) => sum + (countBelow(sorted, score, false) + countBelow(sorted, score, true)) / 2,
    0,
  );
  return { pairs, agreed: agreed / pairs };
}

/** Counts the numbers of a sorted list that are below a value, or not above it. */
function countBelow(sorted: readonly number[], value: number, orEqual: boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const each = sorted[middle] as number;
    if (each < value || (orEqual && each === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
