import { noted } from '../../core/messages/kept.ts';
import type { Message } from '../../core/messages/message.ts';
import { isPruned, type NodeId, type TreeNode } from '../../core/tree/tree.ts';
import type { Executor } from '../../engine/dispatcher.ts';
import { depthLimit } from '../../engine/messages.ts';
import type { SearchContext } from '../../engine/search-context.ts';
import { expandNode } from './expand-node.ts';
import { listRoot } from './list-root.ts';
import * as say from './messages.ts';
import { pickLeaves } from './pick-leaves.ts';

/** Who carries out the moves of a research search. A pick needs no slot, so that it never keeps work waiting. */
export const researchExecutors: Readonly<Record<string, Executor>> = {
  'list-root': {
    needsSlot: true,
    run: (ctx, _move, signal) => ctx.nodes.work(ctx.tree.root, signal, () => listRoot(ctx, signal)),
  },
  pick: { needsSlot: false, run: pickLeaves },
  expand: {
    needsSlot: true,
    run: async (ctx, move, signal) => {
      const node = ctx.tree.get(move.nodes[0] as NodeId);
      if (!node) return { outcome: 'dropped' };
      // Said before the look at the disk, so that topics are announced in the order they are begun.
      ctx.history.note({ type: 'progress', ...noted(announcement(ctx, node)) });
      await ctx.nodes.lookBeforeWork(node, signal);
      if (ctx.tree.get(node.id) !== node || node.status !== 'unexpanded' || isPruned(node))
        return { outcome: 'dropped' };
      const result = await ctx.nodes.work(node, signal, () => expandNode(ctx, node, signal));
      if (node.leafReason === 'depth-limit')
        ctx.history.note({ type: 'progress', ...noted(depthLimit({ title: node.title })) });
      return result;
    },
  },
};

function announcement(ctx: SearchContext, { title, depth, index }: TreeNode): Message {
  if (depth > 1) return say.expandingNode({ title, depth });
  return say.rootWalk({ title, current: index + 1, total: ctx.tree.root.children.length });
}
