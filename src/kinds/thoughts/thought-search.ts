import pLimit, { type LimitFunction } from 'p-limit';
import type { NodeId } from '../../core/tree/tree.ts';
import type { SearchContext } from '../../engine/search-context.ts';
import type { Decomposition } from './prompts/thought-messages.ts';
import { Wanted } from './record/wanted.ts';
import { settingsFor, type ThoughtSettings } from './settings/settings.ts';
import { StateIndex } from './state-index.ts';
import { findTask } from './tasks/find-task.ts';
import type { FindTask } from './tasks/task.ts';

/** One open search for a solution: the parts of all searches, and this kind's state, derived from files and journal. */
export interface ThoughtSearch extends SearchContext {
  /** As the search began, with what a person changed since. */
  readonly settings: ThoughtSettings;
  /** The problem as the first thought's state. */
  readonly start: string;
  readonly states: StateIndex;
  /** Bounds how many thoughts are drawn at the same time. */
  readonly draws: LimitFunction;
  /** Leaves that a person wants continued, whatever the depth limit. */
  readonly wantedDeeper: Set<NodeId>;
  decomposition: Decomposition | undefined;
  /** The final answer, once a task or the report's model has written it down. */
  answer: string | undefined;
  /** The defects that judges named and the answer does not mend, once it was written. */
  openDefects: readonly string[];
}

/**
 * @throws ThoughtTreeError `bad-input` if search.json names something unknown, or the task rejects the problem
 */
export function openThoughts(search: SearchContext): ThoughtSearch {
  const { file, options, tree } = search;
  const given = settingsFor({ ...file, options }, (search.findHooks as FindTask | undefined) ?? findTask);
  return {
    ...search,
    get settings(): ThoughtSettings {
      const { threshold, candidates } = search.history.past.part(Wanted)?.changed ?? {};
      if (threshold === undefined && candidates === undefined) return given;
      return { ...given, threshold: threshold ?? given.threshold, candidates: candidates ?? given.candidates };
    },
    start: given.task?.start?.(file.prompt) ?? given.start ?? file.prompt,
    states: new StateIndex(tree),
    draws: pLimit(1),
    wantedDeeper: new Set(),
    decomposition: undefined,
    answer: undefined,
    openDefects: [],
  };
}
