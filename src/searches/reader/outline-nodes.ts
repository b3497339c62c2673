import { byPosition } from '../../core/tree/by-position.ts';
import { lineageOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';

/** A node of an outline, and how many of its children the outline leaves out. */
export interface OutlineNode {
  readonly node: TreeNode;
  readonly hidden: number;
}

/**
 * At most `room` nodes of a tree, in their order: first those of `wanted`, each with those above it, as far as they fit;
 * then the rest, level by level. Visits no more of the tree than it gives.
 * @param root the branch to choose from, itself left out; by default the whole tree
 */
export function outlineNodes(
  tree: Tree,
  room: number,
  wanted: Iterable<TreeNode> = [],
  root: TreeNode = tree.root,
): OutlineNode[] {
  const shown = chosen(root, room, wanted);
  return [...shown].sort(byPosition).map((node) => ({ node, hidden: hiddenBelow(node, shown) }));
}

function chosen(root: TreeNode, room: number, wanted: Iterable<TreeNode>): Set<TreeNode> {
  const shown = new Set<TreeNode>();
  for (const node of wanted) {
    if (shown.size >= room) return shown;
    const missing = lineageOf(node).filter((each) => !shown.has(each));
    if (shown.size + missing.length <= room) for (const each of missing) shown.add(each);
  }
  const queue: TreeNode[] = [root];
  for (const node of queue) {
    for (const child of node.children) {
      if (shown.size >= room) return shown;
      shown.add(child);
      queue.push(child);
    }
  }
  return shown;
}

function hiddenBelow(node: TreeNode, shown: ReadonlySet<TreeNode>): number {
  let hidden = 0;
  for (const child of node.children) if (!shown.has(child)) hidden++;
  return hidden;
}
