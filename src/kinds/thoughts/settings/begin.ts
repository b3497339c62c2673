import type { SearchFile } from '../../../core/search/search-file.ts';
import type { Asked } from '../../../engine/kind/kind.ts';
import { findTask as shippedTask } from '../tasks/find-task.ts';
import type { FindTask } from '../tasks/task.ts';
import { settingsFor } from './settings.ts';

/**
 * The contents of search.json of a new search for a solution. Depth and strategy are written explicitly, by default those
 * of the task and the preset.
 * @throws ThoughtTreeError `bad-input` if there is no such task, or it rejects the problem
 */
export function beginThoughts({
  prompt,
  options,
  strategy,
  findHooks,
}: Asked): Pick<SearchFile, 'strategy' | 'options'> {
  const settings = settingsFor({ options, strategy }, (findHooks as FindTask | undefined) ?? shippedTask);
  settings.task?.start?.(prompt); // throws, saying what a problem of the task looks like
  return { strategy: settings.strategy, options: { ...options, maxDepth: options.maxDepth ?? settings.maxDepth } };
}
