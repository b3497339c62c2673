import type { Limits } from '../../core/search/limits.ts';
import { walk } from '../../core/tree/tree.ts';
import { grown } from '../messages.ts';
import type { SearchContext } from '../search-context.ts';
import type { Steer } from './steering.ts';

/** Lets a search go further: size, depth or budget. */
export const growSearch: Steer<'grow'> = async ({ ctx, by, setSize }, { size, maxDepth, guards }) => {
  const before = ctx.limits;
  const limits: Limits = {
    size: size ?? before.size,
    maxDepth: maxDepth ?? before.maxDepth,
    guards: { ...before.guards, ...guards },
  };
  ctx.limits = limits;
  setSize(limits.size);
  await ctx.history.record({ type: 'budget-changed', by, limits });
  await openDepthLimited(ctx, by);
  return grown();
};

/** Opens the leaves that only an earlier depth limit had ended. */
export async function openDepthLimited(ctx: SearchContext, by?: string): Promise<void> {
  for (const node of walk(ctx.tree.root))
    if (node.leafReason === 'depth-limit' && node.depth < ctx.limits.maxDepth) await ctx.nodes.reopen(node, { by });
}
