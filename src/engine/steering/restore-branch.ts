import { ThoughtTreeError } from '../../core/search/errors.ts';
import { pathOf } from '../../core/tree/tree.ts';
import * as say from '../messages.ts';
import { statusFromFiles } from '../nodes/reconcile.ts';
import { nodeFor, type Steer } from './steering.ts';

/** Takes a pruned branch back; its status is what its files bear out. */
export const restoreBranch: Steer<'restore'> = async ({ ctx, by }, { node: wanted }) => {
  const node = nodeFor(ctx, wanted);
  if (node.status !== 'pruned') throw new ThoughtTreeError('bad-input', say.notPruned({ title: node.title }));
  const found = await ctx.store.readNode(pathOf(node));
  if (!found) throw new ThoughtTreeError('not-found', say.nodeGone({ title: node.title }));
  const status = statusFromFiles(found, node.children.length);
  const leafReason = status === 'leaf' ? (found.file.leafReason ?? ('model' as const)) : undefined;
  const fields = { status, leafReason, prunedBy: null, ...ctx.kind.restored?.(node) };
  await ctx.nodes.change(node, fields, { flush: true, by });
  return say.restored({ title: node.title });
};
