import { pathOf, type Tree, walk } from '../../../src/core/tree/tree.ts';

/** Returns the nodes of a tree in order, with everything that says what was found and decided; ids left out. */
export function snapshotOfTree(tree: Tree): string[] {
  return [...walk(tree.root)].map((node) => {
    const { title, status, leafReason, prunedBy, selected, sameAs, unscored, derived, evaluation } = node;
    return `${pathOf(node)} ${JSON.stringify({ title, status, leafReason, prunedBy, selected, sameAs, unscored, derived, evaluation })}`;
  });
}
