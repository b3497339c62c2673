import type { MoveResult } from '../../../core/kind/strategy.ts';
import { noted } from '../../../core/messages/kept.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { goingDeeper } from '../messages.ts';
import type { ThoughtSearch } from '../thought-search.ts';

/** Marks nodes as kept, or as set aside: good enough, and to be taken up later. */
export async function choose(ctx: ThoughtSearch, nodes: readonly TreeNode[], selected: boolean): Promise<MoveResult> {
  for (const node of nodes)
    await ctx.nodes.commit(node, undefined, async ({ status }) => {
      if (status === 'unexpanded') await ctx.nodes.change(node, { selected });
    });
  const depth = Math.max(0, ...nodes.map((node) => node.depth));
  if (selected) ctx.history.note({ type: 'progress', ...noted(goingDeeper({ kept: nodes.length, depth: depth + 1 })) });
  return { outcome: 'done' };
}

/** Reopens nodes that were merged into nodes that are gone: they become independent again. */
export async function revive(ctx: ThoughtSearch, nodes: readonly TreeNode[]): Promise<MoveResult> {
  for (const node of nodes)
    await ctx.nodes.commit(node, undefined, async ({ leafReason }) => {
      if (leafReason === 'duplicate') await ctx.nodes.reopen(node);
    });
  return { outcome: 'done' };
}
