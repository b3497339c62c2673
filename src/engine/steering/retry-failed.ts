import { ThoughtTreeError } from '../../core/search/errors.ts';
import { walk } from '../../core/tree/tree.ts';
import { nodeFor, type Steer } from './steering.ts';

/** Opens failed nodes again: one, or all. */
export const retryFailed: Steer<'retry'> = async ({ ctx, by }, { node: path }) => {
  const asked = path === undefined || path === '' ? undefined : nodeFor(ctx, path);
  if (asked && asked.status !== 'failed') throw new ThoughtTreeError('bad-input', `"${asked.title}" did not fail.`);
  const failed = asked ? [asked] : [...walk(ctx.tree.root)].filter(({ status }) => status === 'failed');
  for (const node of failed) await ctx.nodes.reopen(node, { by });
  return failed.length === 1 ? `"${failed[0]?.title}" is open again.` : `${failed.length} failed nodes are open again.`;
};
