import * as z from 'zod';
import type { Action } from './action.ts';
import { comesNext, workedOn } from './messages.ts';

const Result = z.object({
  isUnderWay: z.boolean(),
  /** Of a leaf: how often its kind had already received a list of children for it, if that matters. */
  listsBefore: z.number().int().optional(),
});

/** Works on a node next: an open one, a failed one, or a leaf, which is tried once more. */
export const expand: Action<object, z.infer<typeof Result>> = {
  args: z.object({}),
  result: Result,
  async run({ ctx, loop, node, by }) {
    if (node.status === 'in-progress') return { isUnderWay: true };
    const listsBefore = node.status === 'leaf' ? await loop.again(node) : undefined;
    if (node.status !== 'unexpanded') await ctx.nodes.reopen(node, { by });
    loop.wish(node.id);
    return { isUnderWay: false, ...(listsBefore === undefined ? {} : { listsBefore }) };
  },
  say: ({ isUnderWay }, { title }) => (isUnderWay ? workedOn({ title }) : comesNext({ title })),
};
