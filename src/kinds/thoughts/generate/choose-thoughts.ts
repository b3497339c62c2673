import type { MoveResult } from '../../../core/search/strategy.ts';
import { texts } from '../../../core/search/texts.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import { writeFields } from '../write-fields.ts';

/** Marks nodes as kept, or as set aside: good enough, and to be taken up later. */
export async function choose(ctx: SearchContext, nodes: readonly TreeNode[], selected: boolean): Promise<MoveResult> {
  for (const node of nodes)
    await ctx.gate.commit(async () => {
      const file = ctx.tree.get(node.id) === node ? await ctx.store.readNodeFile(pathOf(node)) : undefined;
      if (file?.status === 'unexpanded') await writeFields(ctx, node, { selected });
    });
  const depth = Math.max(0, ...nodes.map((node) => node.depth));
  if (selected) ctx.history.note({ type: 'progress', text: texts.goingDeeper(nodes.length, depth + 1) });
  return { outcome: 'done' };
}

/** Opens what was merged into nodes that are gone: it stands for itself again. */
export async function revive(ctx: SearchContext, nodes: readonly TreeNode[]): Promise<MoveResult> {
  for (const node of nodes)
    await ctx.gate.commit(async () => {
      const file = ctx.tree.get(node.id) === node ? await ctx.store.readNodeFile(pathOf(node)) : undefined;
      if (file?.leafReason !== 'duplicate') return;
      ctx.tree.update(node, { listed: false });
      await writeFields(ctx, node, { status: 'unexpanded', leafReason: undefined, sameAs: undefined });
    });
  return { outcome: 'done' };
}
