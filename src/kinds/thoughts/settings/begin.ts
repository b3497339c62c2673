import type { SearchFile } from '../../../core/search/search-file.ts';
import type { Asked } from '../../../engine/kind/kind.ts';
import { findTask as shippedTask } from '../tasks/find-task.ts';
import type { FindTask } from '../tasks/task.ts';
import { settingsFor } from './settings.ts';

/**
 * What search.json says of a new search for a solution. How deep it goes and by which strategy is written out, as the
 * task and the preset say where nobody did.
 * @throws ThoughtTreeError `bad-input` where there is no such task, or the problem is none of it
 */
export function beginThoughts({
  prompt,
  options,
  strategy,
  findHooks,
}: Asked): Pick<SearchFile, 'strategy' | 'options'> {
  const settings = settingsFor({ options, strategy }, (findHooks as FindTask | undefined) ?? shippedTask);
  settings.task?.start?.(prompt); // says what a problem of the task looks like
  return { strategy: settings.strategy, options: { ...options, maxDepth: options.maxDepth ?? settings.maxDepth } };
}
