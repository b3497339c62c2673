import { noted } from '../../../core/messages/kept.ts';
import { toThoughtTreeError } from '../../../core/search/errors.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { hookFailed } from '../messages.ts';
import { pathTo } from '../thought-document.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { outcomeOf } from './outcome.ts';

/** Writes the final answer of a solved search, if that needs no model: as composed by the task. */
export async function composeAnswer(ctx: ThoughtSearch): Promise<void> {
  const { solved } = outcomeOf(ctx);
  ctx.answer = solved && (await composed(ctx, solved));
}

async function composed(ctx: ThoughtSearch, node: TreeNode): Promise<string | undefined> {
  const { task } = ctx.settings;
  if (!task?.compose) return undefined;
  try {
    return task.compose(await pathTo(ctx, node));
  } catch (error) {
    ctx.history.note({
      type: 'progress',
      ...noted(hookFailed({ hook: 'compose', why: toThoughtTreeError(error).say }), 200),
    });
    return undefined;
  }
}
