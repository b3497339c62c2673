import type { Decomposition } from '../../core/search/thought-messages.ts';
import type { SearchContext } from '../../engine/search-context.ts';
import { settingsFor, type ThoughtSettings } from './settings.ts';
import { StateIndex } from './state-index.ts';
import { findTask } from './tasks/find-task.ts';
import type { FindTask } from './tasks/task.ts';

/** What this process knows of one search for a solution beside its tree; all of it follows from files and journal. */
export interface ThoughtSearch {
  readonly settings: ThoughtSettings;
  /** The problem as the first thought's state. */
  readonly start: string;
  readonly states: StateIndex;
  decomposition: Decomposition | undefined;
  /** The final answer, once there is one. */
  answer: string | undefined;
}

const known = new WeakMap<SearchContext, ThoughtSearch>();

/**
 * @throws ThoughtTreeError `bad-input` where search.json names what is not there, or the problem is none of the task's
 */
export function thoughtsOf(ctx: SearchContext): ThoughtSearch {
  const found = known.get(ctx);
  if (found) return found;
  const settings = settingsFor(
    { ...ctx.file, options: ctx.options },
    (ctx.findTask as FindTask | undefined) ?? findTask,
  );
  const made: ThoughtSearch = {
    settings,
    start: settings.task?.start?.(ctx.file.prompt) ?? ctx.file.prompt,
    states: new StateIndex(ctx.tree),
    decomposition: undefined,
    answer: undefined,
  };
  known.set(ctx, made);
  return made;
}
