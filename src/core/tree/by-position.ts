import type { TreeNode } from './tree.ts';

/** Orders two nodes by position in the tree, parents before children. */
export function byPosition(a: TreeNode, b: TreeNode): number {
  if (a === b) return 0;
  let [left, right] = [a, b];
  while (left.depth > right.depth) left = left.parent as TreeNode;
  while (right.depth > left.depth) right = right.parent as TreeNode;
  if (left === right) return a.depth - b.depth;
  while (left.parent !== right.parent) {
    left = left.parent as TreeNode;
    right = right.parent as TreeNode;
  }
  return left.index - right.index;
}
