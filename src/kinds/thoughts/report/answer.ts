import { noted } from '../../../core/messages/kept.ts';
import { toThoughtTreeError } from '../../../core/search/errors.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { hookFailed } from '../messages.ts';
import { pathTo } from '../thought-document.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { outcomeOf } from './outcome.ts';

/** Takes up the final answer of an earlier run: as the task composes it, else as the model wrote it into the report. */
export async function takeUpAnswer(ctx: ThoughtSearch): Promise<void> {
  await composeAnswer(ctx);
  const { past } = ctx.history;
  if (past.isReportFresh) ctx.answer ??= past.findings(ctx.file.kind)?.answer;
}

/** Writes the final answer of a solved search down, where that takes no model: as the task composes it. */
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
