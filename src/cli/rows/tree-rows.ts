import type { Tree, TreeNode } from '../../core/tree/tree.ts';
import { outlineNodes } from '../../searches/reader/outline-nodes.ts';
import { nodeWord } from '../terminal/figures.ts';
import type { Row } from '../terminal/row.ts';
import { inWords } from '../terminal/translation.ts';
import { moreNodes } from './messages.ts';
import { nodeRow, type RowFace } from './node-row.ts';

/**
 * The tree as an outline of at most `room` rows: first the nodes of `wanted`, each with those above it, as far as they
 * fit; then the rest, level by level. Everything else is shown as counts. Visits no more of the tree than it shows.
 */
export function treeRows(tree: Tree, room: number, face: RowFace, wanted: Iterable<TreeNode> = []): Row[] {
  if (room <= 0 || tree.size === 0) return [];
  const isWhole = tree.size <= room;
  const shown = outlineNodes(tree, isWhole ? room : room - 1, wanted);
  const rows = shown.map(({ node, hidden }) => nodeRow(node, isWhole ? 0 : hidden, face));
  const hidden = tree.size - shown.length;
  if (hidden > 0)
    rows.push([{ text: inWords(moreNodes({ count: hidden, nodes: nodeWord(face.words, hidden) })), style: 'dim' }]);
  return rows;
}
