import * as z from 'zod';
import { pathOf } from '../../../core/tree/tree.ts';
import type { Action } from '../../../engine/actions/action.ts';
import { RedoArgs } from '../../../engine/actions/redo.ts';
import { discardJudgements } from '../judge/judgement-session.ts';
import { askedForOthers, judgedAgain } from '../messages.ts';
import { beginRound, triesOf } from '../record/rounds.ts';

const Result = z.object({ isJudged: z.boolean() });

/**
 * A thought's text is made by its parent. So a thought that was continued is asked for other next thoughts, and one that
 * was not is judged again.
 */
export const redoThought: Action<z.infer<typeof RedoArgs>, z.infer<typeof Result>> = {
  args: RedoArgs,
  result: Result,
  async run({ ctx, loop, node, by }) {
    await loop.release(new Set([node.id]));
    if (node.status === 'expanded') {
      await ctx.history.record({ type: 'trying', node: pathOf(node), round: triesOf(node) + 1 }, true);
      beginRound(ctx.tree, node);
      ctx.changed([node.id]);
      return { isJudged: false };
    }
    await discardJudgements(ctx, node);
    const reset = { evaluation: null, unscored: null, selected: null, leafReason: null, failure: null };
    await ctx.nodes.change(node, { ...reset, status: 'unexpanded' }, { by });
    return { isJudged: true };
  },
  say: ({ isJudged }, { title }) => (isJudged ? judgedAgain({ title }) : askedForOthers({ title })),
};
