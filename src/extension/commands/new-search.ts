import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { titleFrom } from '../../searches/place.ts';
import type { Settings } from '../settings.ts';
import type { SearchKind, Sort } from './start-questions.ts';
import { COMMAND_TASK, hooksFor } from './task-hooks.ts';

/** What a search begins with. */
export interface Beginning extends Sort {
  readonly workspace: string;
  readonly kind: SearchKind;
  readonly prompt: string;
  readonly model: string;
  /** The model that picks and scores, where that is another one. */
  readonly judge?: string;
  readonly settings: Settings;
}

/**
 * search.json of a new search.
 * @param number tells apart searches of one question; 1 for the first
 * @throws ThoughtTreeError `bad-input` where the problem is none of its task, saying what one looks like
 */
export async function newSearch(beginning: Beginning, number = 1): Promise<SearchFile> {
  const { workspace, kind, prompt, model, settings, preset, task } = beginning;
  const title = number === 1 ? titleFrom(prompt) : `${titleFrom(prompt)} (${number})`;
  const { size, maxDepth, concurrency, tools, context } = settings;
  const common = { size, concurrency, ...(tools ? { tools } : {}), ...(context ? {} : { context }) };
  if (kind === 'thoughts') {
    const { searches } = await import('../../searches/searches.ts');
    const options = { ...common, ...(preset ? { preset } : {}), ...(task ? { task } : {}) };
    // About a command the person is asked when it is to run.
    const isCommand = task === COMMAND_TASK;
    const findTask = isCommand ? searches.findTaskWith({ runCheck: notYet }) : await hooksFor({ options }, workspace);
    return searches.newThoughtSearch({ title, prompt, model, options }, findTask);
  }
  const createdAt = new Date().toISOString();
  const options = { ...common, maxDepth };
  return { version: 1, kind, title, prompt, strategy: 'research', model, options, createdAt };
}

function notYet(): Promise<never> {
  return Promise.reject(new ThoughtTreeError('bad-input', 'Nobody agreed to run the command yet.'));
}
