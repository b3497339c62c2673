import * as z from 'zod';
import { listsGiven } from '../calls/conversations.ts';
import type { Action } from './action.ts';
import { comesNext, workedOn } from './messages.ts';

const Result = z.object({
  /** Whether it was being worked on already. */
  isUnderWay: z.boolean(),
  /** Of a leaf: how many lists of children the model had given before. */
  listsBefore: z.number().int().optional(),
});

/** Has a node worked on next: an open one, a failed one, or a leaf, which is asked for children once more. */
export const expand: Action<object, z.infer<typeof Result>> = {
  args: z.object({}),
  result: Result,
  async run({ ctx, loop, node, by }) {
    if (node.status === 'in-progress') return { isUnderWay: true };
    const listsBefore = node.status === 'leaf' ? await listsGiven(ctx, node) : undefined;
    if (listsBefore !== undefined) ctx.askAgain.set(node.id, listsBefore);
    if (node.status !== 'unexpanded') await ctx.nodes.reopen(node, { by });
    loop.wish(node.id);
    return { isUnderWay: false, ...(listsBefore === undefined ? {} : { listsBefore }) };
  },
  say: ({ isUnderWay }, { title }) => (isUnderWay ? workedOn({ title }) : comesNext({ title })),
};
