import type { Move, MoveResult } from '../../core/kind/strategy.ts';
import { noted } from '../../core/messages/kept.ts';
import type { Message } from '../../core/messages/message.ts';
import { isPruned, type NodeId, type TreeNode } from '../../core/tree/tree.ts';
import type { Executors } from '../../engine/loop/executor.ts';
import { depthLimit } from '../../engine/messages.ts';
import { expandNode } from './expand-node.ts';
import { listRoot } from './list-root.ts';
import * as say from './messages.ts';
import { pickLeaves } from './pick-leaves.ts';
import type { ResearchSearch } from './research-search.ts';

/** The executors of a research search. A pick needs no slot of our own, so that it never delays other work. */
export function researchExecutors(search: ResearchSearch): Executors {
  const { tree, nodes } = search;
  return {
    'list-root': {
      needsSlot: true,
      run: (_move, signal) => nodes.work(tree.root, signal, () => listRoot(search, signal)),
    },
    pick: { needsSlot: false, run: (move, signal) => pickLeaves(search, move, signal) },
    expand: { needsSlot: true, expands: true, run: (move, signal) => expand(search, move, signal) },
  };
}

async function expand(search: ResearchSearch, move: Move, signal: AbortSignal): Promise<MoveResult> {
  const { tree, nodes, history } = search;
  const node = tree.get(move.nodes[0] as NodeId);
  if (!node) return { outcome: 'dropped' };
  // Announced before reading the disk, so that topics are announced in the order in which they are begun.
  history.note({ type: 'progress', ...noted(announcement(search, node)) });
  await nodes.lookBeforeWork(node, signal);
  if (tree.get(node.id) !== node || node.status !== 'unexpanded' || isPruned(node)) return { outcome: 'dropped' };
  const result = await nodes.work(node, signal, () => expandNode(search, node, signal));
  if (node.leafReason === 'depth-limit')
    history.note({ type: 'progress', ...noted(depthLimit({ title: node.title })) });
  return result;
}

function announcement({ tree }: ResearchSearch, { title, depth, index }: TreeNode): Message {
  if (depth > 1) return say.expandingNode({ title, depth });
  return say.rootWalk({ title, current: index + 1, total: tree.root.children.length });
}
