import type { Tree, TreeNode } from '../../../core/tree/tree.ts';

/** The number of times that thoughts were asked for at a node, as far as the journal tells. */
interface Rounds {
  readonly tries?: number | undefined;
  /** A further round was begun and not completed. */
  readonly trying?: boolean | undefined;
}

export function roundsOf({ derived = {} }: TreeNode): Rounds {
  return derived;
}

/** Counts the times that thoughts were asked for at a node. A clone has no journal: then once, if there are any. */
export function triesOf(node: TreeNode): number {
  return roundsOf(node).tries ?? (node.listed ? 1 : 0);
}

/** A further round at a node begins. */
export function beginRound(tree: Tree, node: TreeNode): void {
  tree.update(node, { derived: { ...roundsOf(node), trying: true } });
}

/** Shared by the many nodes that were asked once. */
const ONCE: Rounds = { tries: 1 };

/** The last round at a node is complete. */
export function endRound(tree: Tree, node: TreeNode, tries: number): void {
  tree.update(node, { derived: tries === 1 ? ONCE : { tries } });
}
