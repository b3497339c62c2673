import { pathOf } from '../../core/tree/tree.ts';
import { branchPruned, prunedAlready } from '../messages.ts';
import { statusFromFiles } from '../nodes/reconcile.ts';
import { branchOf, nodeFor, type Steer } from './steering.ts';

/** Takes a branch out of the search: calls in it are stopped (they count), its files stay. */
export const pruneBranch: Steer<'prune'> = async ({ ctx, by, release }, { node: path }) => {
  const node = nodeFor(ctx, path);
  if (node.status === 'pruned') return prunedAlready({ title: node.title });
  await release(branchOf(node));
  const found = await ctx.store.readNode(pathOf(node));
  const listed = found !== undefined && statusFromFiles(found, node.children.length) !== 'unexpanded';
  await ctx.nodes.change(node, { status: 'pruned', prunedBy: 'user' }, { flush: true, by, listed });
  return branchPruned({ title: node.title });
};
