import type { FindTask } from '../core/ports/task.ts';
import { FORMAT_VERSION, type SearchFile, type SearchOptions } from '../core/search/search-file.ts';
import type { ThoughtStrategy } from '../core/search/thought-options.ts';
import { settingsFor } from '../kinds/thoughts/settings.ts';
import { findTask as shippedTask } from '../kinds/thoughts/tasks/find-task.ts';

/** What a search for a solution begins with. */
export interface NewThoughtSearch {
  readonly title: string;
  readonly prompt: string;
  readonly model: string;
  /** What was said; the task and the preset fill in the rest. */
  readonly options: SearchOptions;
  readonly strategy?: ThoughtStrategy;
}

/**
 * search.json of a search for a solution. How deep it goes and by which strategy is written out, as the task and the
 * preset say where nobody did.
 * @throws ThoughtTreeError `bad-input` where there is no such task, or the problem is none of it
 */
export function newThoughtSearch(
  { title, prompt, model, options, strategy }: NewThoughtSearch,
  findTask: FindTask = shippedTask,
): SearchFile {
  const settings = settingsFor({ options, ...(strategy ? { strategy } : {}) }, findTask);
  settings.task?.start?.(prompt); // says what a problem of the task looks like
  return {
    version: FORMAT_VERSION,
    kind: 'thoughts',
    title,
    prompt,
    strategy: settings.strategy,
    model,
    options: { ...options, maxDepth: options.maxDepth ?? settings.maxDepth },
    createdAt: new Date().toISOString(),
  };
}
