import { pathOf } from '../../core/tree/tree.ts';
import { statusFromFiles } from '../nodes/reconcile.ts';
import { branchOf, nodeFor, type Steer } from './steering.ts';

/** Takes a branch out of the search: calls in it are stopped (they count), its files stay. */
export const pruneBranch: Steer<'prune'> = async ({ ctx, release }, { node: path }) => {
  const node = nodeFor(ctx, path);
  if (node.status === 'pruned') return `"${node.title}" is pruned already.`;
  const pruned = { status: 'pruned' as const, prunedBy: 'user' as const };
  await release(branchOf(node));
  await ctx.store.writeNode(pathOf(node), pruned, true);
  const found = await ctx.store.readNode(pathOf(node));
  const listed = found !== undefined && statusFromFiles(found, node.children.length) !== 'unexpanded';
  ctx.tree.update(node, { ...pruned, listed, failure: undefined, leafReason: undefined });
  ctx.history.note({ type: 'node-status', node: pathOf(node), ...pruned });
  ctx.changed([node.id]);
  return `"${node.title}" is pruned, with all below it.`;
};
