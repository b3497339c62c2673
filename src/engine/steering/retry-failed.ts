import { ThoughtTreeError } from '../../core/search/errors.ts';
import { walk } from '../../core/tree/tree.ts';
import { failedOpenAgain, notFailed, openAgain } from '../messages.ts';
import { nodeFor, type Steer } from './steering.ts';

/** Opens failed nodes again: one, or all. */
export const retryFailed: Steer<'retry'> = async ({ ctx, by }, { node: path }) => {
  const asked = path === undefined || path === '' ? undefined : nodeFor(ctx, path);
  if (asked && asked.status !== 'failed') throw new ThoughtTreeError('bad-input', notFailed({ title: asked.title }));
  const failed = asked ? [asked] : [...walk(ctx.tree.root)].filter(({ status }) => status === 'failed');
  for (const node of failed) await ctx.nodes.reopen(node, { by });
  const [first, ...others] = failed;
  return first && others.length === 0 ? openAgain({ title: first.title }) : failedOpenAgain({ count: failed.length });
};
