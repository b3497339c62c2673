import type { NodeWords } from '../../core/search/kind-face.ts';
import { byPosition } from '../../core/tree/by-position.ts';
import { lineageOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import { nodeWord } from '../terminal/figures.ts';
import type { Row } from '../terminal/row.ts';
import { inWords } from '../terminal/translation.ts';
import { moreNodes } from './messages.ts';
import { nodeRow } from './node-row.ts';

/**
 * The tree as an outline of at most `room` rows: first the nodes of `wanted`, each with those above it, as far as they
 * fit; then the rest, level by level. Everything else is shown as counts. Visits no more of the tree than it shows.
 */
export function treeRows(tree: Tree, room: number, words: NodeWords, wanted: Iterable<TreeNode> = []): Row[] {
  if (room <= 0 || tree.size === 0) return [];
  const isWhole = tree.size <= room;
  const shown = choose(tree, isWhole ? room : room - 1, wanted);
  const rows = [...shown].sort(byPosition).map((node) => nodeRow(node, isWhole ? 0 : hiddenBelow(node, shown)));
  const hidden = tree.size - shown.size;
  if (hidden > 0)
    rows.push([{ text: inWords(moreNodes({ count: hidden, nodes: nodeWord(words, hidden) })), style: 'dim' }]);
  return rows;
}

function choose(tree: Tree, room: number, wanted: Iterable<TreeNode>): Set<TreeNode> {
  const shown = new Set<TreeNode>();
  for (const node of wanted) {
    if (shown.size >= room) return shown;
    const missing = lineageOf(node).filter((each) => !shown.has(each));
    if (shown.size + missing.length <= room) for (const each of missing) shown.add(each);
  }
  const queue: TreeNode[] = [tree.root];
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
