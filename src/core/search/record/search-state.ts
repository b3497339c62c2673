import type { JournalEvent } from '../events.ts';

/** What a search is doing, for those who look at it from outside. */
export type SearchState = 'running' | 'waiting' | 'paused' | 'interrupted' | 'finished';

/** What can be known of a search from outside. */
export interface SearchSigns {
  /** What its journal said last of the search as a whole; undefined where it says nothing. */
  readonly last: SearchTurn['type'] | undefined;
  /** Whether it said last that all that is left to do is outside. */
  readonly waitsOutside?: boolean | undefined;
  /** Whether a living process holds it. */
  readonly isHeld: boolean;
  /** Whether nodes are left to be worked on, the first level being known. */
  readonly isOpen: boolean;
  readonly hasReport: boolean;
}

/** An event that says what the search as a whole is doing from now on. */
export type SearchTurn = Extract<JournalEvent, { type: `search-${string}` }>;

/**
 * The state of a search: what its journal said last, if its process still lives. Without a journal (a clone has none)
 * it is finished where nothing is open or its report exists.
 */
export function searchState({ last, waitsOutside, isHeld, isOpen, hasReport }: SearchSigns): SearchState {
  if (last === 'search-finished') return 'finished';
  if (last === 'search-paused') return 'paused';
  if (isHeld) return last === 'search-waiting' ? 'waiting' : 'running';
  // Whoever ran it left it to others: nothing was broken off.
  if (waitsOutside) return 'paused';
  return last === undefined && (!isOpen || hasReport) ? 'finished' : 'interrupted';
}

/**
 * Whether there is something to continue with; what has come to its end is to be grown, or expanded, instead.
 * @param isDone whether it came to its own end and nothing happened since
 * @param open how many nodes are open
 */
export function isResumable(state: SearchState, isDone: boolean, open: number): boolean {
  return !isAtWork(state) && (state !== 'finished' || (!isDone && open > 0));
}

/** Whether somebody works on a search in this state now. */
export function isAtWork(state: SearchState): boolean {
  return state === 'running' || state === 'waiting';
}
