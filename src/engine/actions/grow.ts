import * as z from 'zod';
import { Guards, Limits, Size } from '../../core/search/limits.ts';
import { walk } from '../../core/tree/tree.ts';
import type { SearchContext } from '../search-context.ts';
import type { Action } from './action.ts';
import { grown } from './messages.ts';

const Args = z.object({
  size: Size.optional(),
  maxDepth: Limits.shape.maxDepth.optional(),
  guards: Guards.optional(),
});
const Result = z.object({ limits: Limits });

/** Raises a search's limits: size, depth or budget. */
export const grow: Action<z.infer<typeof Args>, z.infer<typeof Result>> = {
  args: Args,
  result: Result,
  async run({ ctx, loop, by }, { size, maxDepth, guards }) {
    const before = ctx.limits.now;
    const limits: Limits = {
      size: size ?? before.size,
      maxDepth: maxDepth ?? before.maxDepth,
      guards: { ...before.guards, ...guards },
    };
    ctx.limits.set(limits);
    loop.setSize(limits.size);
    await ctx.history.record({ type: 'budget-changed', by, limits }, true);
    await openDepthLimited(ctx, by);
    return { limits };
  },
  say: () => grown(),
};

/** Opens the leaves that had been ended only by an earlier depth limit. */
export async function openDepthLimited(ctx: SearchContext, by?: string): Promise<void> {
  const { maxDepth } = ctx.limits.now;
  for (const node of walk(ctx.tree.root))
    if (node.leafReason === 'depth-limit' && node.depth < maxDepth) await ctx.nodes.reopen(node, { by });
}
