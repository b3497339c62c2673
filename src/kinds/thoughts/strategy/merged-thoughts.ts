import { isPruned, type NodeId, nodeAt, type Tree, type TreeNode } from '../../../core/tree/tree.ts';

/** Which nodes were merged into which, and those whose target is gone, which have to become independent again. */
export class MergedThoughts {
  readonly #tree: Tree;
  /** The nodes merged into a node, by that node. */
  readonly #mergedInto = new Map<NodeId, Set<TreeNode>>();
  readonly #orphans = new Set<TreeNode>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  get orphans(): Iterable<TreeNode> {
    return this.#orphans;
  }

  /** Updates a node that may have been merged, reopened or pruned. */
  look(node: TreeNode): void {
    this.#orphans.delete(node);
    if (node.leafReason === 'duplicate' && node.sameAs !== undefined) {
      const target = nodeAt(this.#tree, node.sameAs);
      if (target && !isPruned(target)) {
        const merged = this.#mergedInto.get(target.id) ?? new Set();
        this.#mergedInto.set(target.id, merged.add(node));
      } else if (!isPruned(node)) this.#orphans.add(node);
    }
    if (this.#mergedInto.has(node.id) && isPruned(node)) this.#free(node.id);
  }

  /** Removes a node. */
  forget(node: TreeNode): void {
    this.#orphans.delete(node);
    this.#free(node.id);
  }

  #free(id: NodeId): void {
    const merged = this.#mergedInto.get(id);
    this.#mergedInto.delete(id);
    for (const node of merged ?? [])
      if (this.#tree.get(node.id) === node && node.leafReason === 'duplicate' && !isPruned(node))
        this.#orphans.add(node);
  }
}
