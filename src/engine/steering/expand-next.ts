import { ThoughtTreeError } from '../../core/search/errors.ts';
import { listsGiven } from '../calls/conversations.ts';
import * as say from '../messages.ts';
import { nodeFor, refuseWherePruned, type Steer } from './steering.ts';

/** Has a node worked on next: an open one, a failed one, or a leaf, which is asked for children once more. */
export const expandNext: Steer<'expand'> = async ({ ctx, by, wish }, { node: path }) => {
  const node = nodeFor(ctx, path);
  refuseWherePruned(node);
  if (node.status === 'in-progress') return say.workedOn({ title: node.title });
  if (node.status === 'expanded') throw new ThoughtTreeError('bad-input', say.expandedAlready({ title: node.title }));
  if (node.status === 'leaf') ctx.askAgain.set(node.id, await listsGiven(ctx, node));
  if (node.status !== 'unexpanded') await ctx.nodes.reopen(node, { by });
  wish(node.id);
  return say.comesNext({ title: node.title });
};
