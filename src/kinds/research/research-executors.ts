import { texts } from '../../core/search/texts.ts';
import { isPruned, type NodeId, type TreeNode } from '../../core/tree/tree.ts';
import type { Executor } from '../../engine/dispatcher.ts';
import { lookAgain, lookBeforeWork } from '../../engine/nodes/look-again.ts';
import type { SearchContext } from '../../engine/search-context.ts';
import { expandNode } from './expand-node.ts';
import { listRoot } from './list-root.ts';
import { pickLeaves } from './pick-leaves.ts';

/** Who carries out the moves of a research search. A pick needs no slot, so that it never keeps work waiting. */
export const researchExecutors: Readonly<Record<string, Executor>> = {
  'list-root': {
    needsSlot: true,
    run: async (ctx, _move, signal) => {
      const { id } = ctx.tree.root;
      ctx.underWay.add(id);
      return await listRoot(ctx, signal).finally(() => ctx.underWay.delete(id));
    },
  },
  pick: { needsSlot: false, run: pickLeaves },
  expand: {
    needsSlot: true,
    run: async (ctx, move, signal) => {
      const node = ctx.tree.get(move.nodes[0] as NodeId);
      if (!node) return { outcome: 'dropped' };
      // Said before the look at the disk, so that topics are announced in the order they are begun.
      ctx.history.note({ type: 'progress', text: announcement(ctx, node) });
      await ctx.gate.commit(() => lookBeforeWork(ctx, node), signal);
      if (ctx.tree.get(node.id) !== node || node.status !== 'unexpanded' || isPruned(node))
        return { outcome: 'dropped' };
      ctx.underWay.add(node.id);
      const result = await expandNode(ctx, node, signal).finally(() => ctx.underWay.delete(node.id));
      // A person pruned or removed it meanwhile.
      if (result.outcome === 'dropped') await ctx.gate.commit(() => lookAgain(ctx, node), signal);
      if (node.leafReason === 'depth-limit') ctx.history.note({ type: 'progress', text: texts.depthLimit(node.title) });
      return result;
    },
  },
};

function announcement(ctx: SearchContext, node: TreeNode): string {
  return node.depth === 1
    ? texts.rootWalk(node.title, node.index + 1, ctx.tree.root.children.length)
    : texts.expandingNode(node.title, node.depth);
}
