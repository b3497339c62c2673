import type { NodeId } from '../../core/tree/tree.ts';
import type { SearchContext } from '../../engine/search-context.ts';
import type { Decomposition } from './prompts/thought-messages.ts';
import { settingsFor, type ThoughtSettings } from './settings/settings.ts';
import { StateIndex } from './state-index.ts';
import { findTask } from './tasks/find-task.ts';
import type { FindTask } from './tasks/task.ts';

/** One open search for a solution: the parts of all searches, and this kind's state, derived from files and journal. */
export interface ThoughtSearch extends SearchContext {
  readonly settings: ThoughtSettings;
  /** The problem as the first thought's state. */
  readonly start: string;
  readonly states: StateIndex;
  /** Leaves that a person wants continued, whatever the depth limit. */
  readonly wantedDeeper: Set<NodeId>;
  decomposition: Decomposition | undefined;
  /** The final answer, once there is one. */
  answer: string | undefined;
}

/**
 * @throws ThoughtTreeError `bad-input` if search.json names something unknown, or the task rejects the problem
 */
export function openThoughts(search: SearchContext): ThoughtSearch {
  const { file, options, tree } = search;
  const settings = settingsFor({ ...file, options }, (search.findHooks as FindTask | undefined) ?? findTask);
  return {
    ...search,
    settings,
    start: settings.task?.start?.(file.prompt) ?? file.prompt,
    states: new StateIndex(tree),
    wantedDeeper: new Set(),
    decomposition: undefined,
    answer: undefined,
  };
}
