import type { JournalEvent } from '../events.ts';

/** The activity of a search, as seen from outside. */
export type SearchState = 'running' | 'waiting' | 'paused' | 'interrupted' | 'finished';

/** The facts that can be known about a search from outside. */
export interface SearchSigns {
  /** The last event about the search as a whole in its journal; undefined if there is none. */
  readonly last: SearchTurn['type'] | undefined;
  /** That event says that all remaining work is outside. */
  readonly waitsOutside?: boolean | undefined;
  /** A living process holds it. */
  readonly isHeld: boolean;
  /** Nodes are left to be worked on, if the first level is known. */
  readonly isOpen: boolean;
  /** There is a report on the whole search, and not only on what there was so far. */
  readonly hasReport: boolean;
}

/** An event that says what the search as a whole does from now on. */
export type SearchTurn = Extract<JournalEvent, { type: `search-${string}` }>;

/**
 * The state of a search: the last one in its journal, if its process still lives. Without a journal (a clone has none)
 * it is finished if nothing is open or its report exists.
 */
export function searchState({ last, waitsOutside, isHeld, isOpen, hasReport }: SearchSigns): SearchState {
  if (last === 'search-finished') return 'finished';
  if (last === 'search-paused') return 'paused';
  if (isHeld) return last === 'search-waiting' ? 'waiting' : 'running';
  // Its process left the rest to others: nothing was interrupted.
  if (waitsOutside) return 'paused';
  return last === undefined && (!isOpen || hasReport) ? 'finished' : 'interrupted';
}

/** Tells whether somebody is working on a search in this state. */
export function isAtWork(state: SearchState): boolean {
  return state === 'running' || state === 'waiting';
}
