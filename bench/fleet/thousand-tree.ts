import type { ScriptedTree } from '../../test/support/servers/server-tree.ts';
import { evenTree } from '../trees/even-tree.ts';

/** The children of a topic that has any. */
export const TOPICS = 6;
/** The deepest level that is complete. */
const WHOLE = 5;
const LEVEL = TOPICS ** WHOLE;
/** How many nodes of that level have children, spread evenly over it. */
const LARGER = 1778;

/** The depth limit of its search: a node of the last level gets a document and no list. */
export const DEPTH = WHOLE + 1;
/** All nodes of the tree: 6, 36, 216, 1296, 7776, and 10,668 on the last level. */
export const NODES = (TOPICS * (LEVEL - 1)) / (TOPICS - 1) + LARGER * TOPICS;

const tree = evenTree(Array.from({ length: DEPTH }, () => TOPICS));

/** About 20,000 nodes, topics of six children; its answers are cheap to make. */
export const thousandTree: Pick<ScriptedTree, 'answer'> = {
  answer: (call) =>
    call.purpose === 'children' && !hasChildren(call.node) ? '<output>\n[]\n</output>\n' : tree.answer(call),
};

function hasChildren(path: string): boolean {
  const numbers = Array.from(path.matchAll(/topic-(\d+)/g), ([, n]) => Number(n) - 1);
  if (numbers.length < WHOLE) return true;
  const place = numbers.reduce((sum, n) => sum * TOPICS + n, 0);
  return Math.floor(((place + 1) * LARGER) / LEVEL) > Math.floor((place * LARGER) / LEVEL);
}
