import { type Tree, type TreeNode, walk } from '../../../core/tree/tree.ts';
import { byRank, OPEN, type Place, triesOf, worthOf } from '../thought-node.ts';
import type { Plan, StrategyFacts } from './thought-rules.ts';
import { ThoughtStrategy } from './thought-strategy.ts';

/** Where something is left to do at a node or below it. */
const CONTINUED: ReadonlySet<Place> = new Set<Place>([...OPEN, 'expanded']);

/** Returns to a thought; about every second continuation is left. */
export const depthFirst = {
  tries: 3,
  source: 'DFS',
  perLevel: () => 1.5,
  backtracks: backtracksOf,
} as const satisfies StrategyFacts;

/**
 * One path at a time, the best thought at each node first. From a path that ends without a solution, or is pruned, it goes
 * back to the node above: to its next thought, then to another round, then further up.
 */
export class DepthFirst extends ThoughtStrategy {
  /** Nodes below which nothing is left; those changed by others are checked again. */
  readonly #dead = new Set<TreeNode>();

  override changed(nodes: Iterable<TreeNode['id']>): void {
    this.#dead.clear();
    super.changed(nodes);
  }

  protected clear(): void {
    this.#dead.clear();
  }

  protected moved(_node: TreeNode, _before: Place | undefined, _now: Place | undefined): void {
    // the position of the walk follows from the tree
  }

  protected plan(room: number, remaining: number): Plan[] {
    if (room === 0 || !this.isIdle) return [];
    for (let node: TreeNode | undefined = this.tree.root; node; ) {
      const pending = node.children.filter((child) => this.placeOf(child) === 'pending');
      if (pending.length > 0) return this.judge(pending).slice(0, room);
      if (remaining <= 0 || this.isAnswered) return [];
      const next = this.#nextBelow(node);
      if (next && this.placeOf(next) !== 'expanded') return [{ kind: 'expand', nodes: [next] }];
      if (!next && this.#mayTryAgain(node)) return [{ kind: 'try-again', nodes: [node] }];
      if (!next) this.#dead.add(node);
      node = next ?? node.parent;
    }
    return [];
  }

  #mayTryAgain(node: TreeNode): boolean {
    return this.placeOf(node) === 'expanded' && triesOf(node) < this.rules.tries;
  }

  /** The best child with something left to do; one already being worked on before all others. */
  #nextBelow(node: TreeNode): TreeNode | undefined {
    let best: TreeNode | undefined;
    for (const child of node.children) {
      const place = this.placeOf(child);
      if (place === undefined || !CONTINUED.has(place) || this.#dead.has(child)) continue;
      if (!best || byPromise(child, best) < 0) best = child;
    }
    return best;
  }
}

function byPromise(a: TreeNode, b: TreeNode): number {
  const promise = (node: TreeNode): number => (node.status === 'expanded' ? 100 : 0) + worthOf(node);
  return promise(b) - promise(a) || byRank(a, b);
}

/**
 * Counts how often a depth-first walk backtracked: once for each further round at a node, and once for each node that
 * it had continued from and left.
 */
function backtracksOf(tree: Tree): number {
  let count = 0;
  const alive = new Set<TreeNode>();
  for (const node of walk(tree.root)) {
    count += Math.max(0, triesOf(node) - 1);
    if (node.leafReason === 'solved' || node.leafReason === 'depth-limit' || node.status === 'unexpanded')
      for (let at = node.parent; at && !alive.has(at); at = at.parent) alive.add(at);
  }
  for (const node of walk(tree.root)) if (node.parent && node.children.length > 0 && !alive.has(node)) count++;
  return count;
}
