import type { JournalEvent } from '../events.ts';

/** What a search is doing, as seen from outside. */
export type SearchState = 'running' | 'waiting' | 'paused' | 'interrupted' | 'finished';

/** What can be known about a search from outside. */
export interface SearchSigns {
  /** The last event about the search as a whole in its journal; undefined if there is none. */
  readonly last: SearchTurn['type'] | undefined;
  /** Whether that event says that all remaining work is outside. */
  readonly waitsOutside?: boolean | undefined;
  /** Whether a living process holds it. */
  readonly isHeld: boolean;
  /** Whether nodes are left to be worked on, if the first level is known. */
  readonly isOpen: boolean;
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

/**
 * Whether there is anything left to continue; a finished search has to be grown or expanded instead.
 * @param isDone whether it ended by itself and nothing happened since
 * @param open the number of open nodes
 */
export function isResumable(state: SearchState, isDone: boolean, open: number): boolean {
  return !isAtWork(state) && (state !== 'finished' || (!isDone && open > 0));
}

/** Whether somebody is working on a search in this state. */
export function isAtWork(state: SearchState): boolean {
  return state === 'running' || state === 'waiting';
}
