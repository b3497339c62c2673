import * as z from 'zod';
import { pathOf, walk } from '../../core/tree/tree.ts';
import { statusFromFiles } from '../nodes/reconcile.ts';
import type { Action } from './action.ts';
import { branchPruned, prunedAlready } from './messages.ts';

const Result = z.object({
  /** The number of nodes in the branch, including its top; 0 if it was already pruned. */
  pruned: z.number().int().nonnegative(),
});

/** Excludes a branch from the search: calls in it are stopped (they count), its files stay. */
export const prune: Action<object, z.infer<typeof Result>> = {
  args: z.object({}),
  result: Result,
  async run({ ctx, loop, node, by }) {
    if (node.status === 'pruned') return { pruned: 0 };
    const branch = new Set([...walk(node)].map(({ id }) => id));
    await loop.release(branch);
    const found = await ctx.store.readNode(pathOf(node));
    const listed = found !== undefined && statusFromFiles(found, node.children.length) !== 'unexpanded';
    await ctx.nodes.change(node, { status: 'pruned', prunedBy: 'user' }, { by, listed });
    return { pruned: branch.size };
  },
  say: (result, { title }) => (result.pruned === 0 ? prunedAlready({ title }) : branchPruned({ title })),
};
