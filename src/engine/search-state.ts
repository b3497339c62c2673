import type { JournalEvent } from '../core/search/events.ts';

/** What a search is doing, for those who look at it from outside. */
export type SearchState = 'running' | 'waiting' | 'paused' | 'interrupted' | 'finished';

/** What can be known of a search from outside. */
export interface SearchSigns {
  readonly journal: readonly JournalEvent[];
  /** Whether a living process holds it. */
  readonly isHeld: boolean;
  /** Whether nodes are left to be worked on, the first level being known. */
  readonly isOpen: boolean;
  readonly hasReport: boolean;
}

/**
 * The state of a search: what its journal said last, if its process still lives. Without a journal (a clone has none)
 * it is finished where nothing is open or its report stands.
 */
export function searchState({ journal, isHeld, isOpen, hasReport }: SearchSigns): SearchState {
  const last = journal.findLast(({ type }) => type.startsWith('search-'))?.type;
  if (last === 'search-finished') return 'finished';
  if (last === 'search-paused') return 'paused';
  if (isHeld) return last === 'search-waiting' ? 'waiting' : 'running';
  return last === undefined && (!isOpen || hasReport) ? 'finished' : 'interrupted';
}
