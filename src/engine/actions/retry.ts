import * as z from 'zod';
import { walk } from '../../core/tree/tree.ts';
import type { Action } from './action.ts';
import { failedOpenAgain, openAgain } from './messages.ts';

const Result = z.object({
  opened: z.number().int().nonnegative(),
  /** Its title, if it is a single one. */
  title: z.string().optional(),
});

/** Opens failed nodes again: one, or all. */
export const retry: Action<object, z.infer<typeof Result>> = {
  args: z.object({}),
  result: Result,
  async run({ ctx, node, by }) {
    const failed = node.parent ? [node] : [...walk(node)].filter(({ status }) => status === 'failed');
    for (const each of failed) await ctx.nodes.reopen(each, { by });
    const [first] = failed;
    return { opened: failed.length, ...(first && failed.length === 1 ? { title: first.title } : {}) };
  },
  say: ({ opened, title }) => (title === undefined ? failedOpenAgain({ count: opened }) : openAgain({ title })),
};
