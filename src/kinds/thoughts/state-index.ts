import { byPosition } from '../../core/tree/by-position.ts';
import { isPruned, type Tree, type TreeNode, walk } from '../../core/tree/tree.ts';

/** The nodes by the state after their verified steps. Derived from the tree; removed nodes are skipped when met. */
export class StateIndex {
  readonly #tree: Tree;
  #byState: Map<string, Set<TreeNode>> | undefined;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Adds a node. */
  add(node: TreeNode): void {
    if (node.state === undefined || !this.#byState) return;
    const nodes = this.#byState.get(node.state) ?? new Set();
    this.#byState.set(node.state, nodes.add(node));
  }

  /**
   * The equal node that may represent both, if there is one: alive, not itself merged, not deeper, so that
   * nothing is lost. A judged one before others, then the shallowest, then the first.
   */
  equalTo(node: TreeNode): TreeNode | undefined {
    if (node.state === undefined) return undefined;
    this.#byState ??= this.#index();
    let best: TreeNode | undefined;
    for (const other of this.#byState.get(node.state) ?? []) {
      if (this.#tree.get(other.id) !== other) this.#byState.get(node.state)?.delete(other);
      else if (this.#canStandFor(other, node) && (!best || order(other, best) < 0)) best = other;
    }
    return best && order(best, node) < 0 ? best : undefined;
  }

  #canStandFor(other: TreeNode, node: TreeNode): boolean {
    if (other === node || other.depth > node.depth || other.leafReason === 'duplicate') return false;
    return other.state === node.state && other.status !== 'failed' && !isPruned(other);
  }

  #index(): Map<string, Set<TreeNode>> {
    const byState = new Map<string, Set<TreeNode>>();
    for (const node of walk(this.#tree.root)) {
      if (node.state === undefined) continue;
      byState.set(node.state, (byState.get(node.state) ?? new Set()).add(node));
    }
    return byState;
  }
}

function order(a: TreeNode, b: TreeNode): number {
  return Number(!isJudged(a)) - Number(!isJudged(b)) || a.depth - b.depth || byPosition(a, b);
}

function isJudged({ status, evaluation, unscored }: TreeNode): boolean {
  return status !== 'unexpanded' || evaluation !== undefined || unscored === true;
}
