import type { ModelWorth } from '../../money/several-models.ts';
import type { JournalEvent, Results } from '../events.ts';
import type { SpendLimit, SpendLimits } from '../limits.ts';

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

/** A spend limit that a search rests at, and what it allows. */
export interface LimitReached {
  readonly guard: SpendLimit;
  readonly limit: number;
  /** The figure that its size is expected to need, if that is known and higher. */
  readonly needed?: number;
}

/** Returns the value that the spend limit is raised to, for continuing: what is needed, or else twice as much. */
export function raisedTo({ limit, needed }: LimitReached): number {
  return needed ?? (limit * 2 || 1);
}

/** Returns that value in the form in which spend limits are set. */
export function raisedLimits(reached: LimitReached): SpendLimits {
  return { [reached.guard]: raisedTo(reached) };
}

/** The results of a kind whose searches end solved or not, under its name. */
export interface Findings {
  readonly solved: boolean;
  /** The final answer, as a task or the report's model wrote it down. */
  readonly answer?: string;
  /** Slug paths from the first level down: of the best finished path, and of the best so far. */
  readonly finishedPath: readonly string[];
  readonly bestPath: readonly string[];
  /** The number of times that it backtracked, if its strategy does. */
  readonly backtracks: number;
  /** The actions that a person may take now, most useful first. */
  readonly next?: readonly NextAction[];
  /** Model calls that were answered, by purpose. */
  readonly callsByPurpose: Readonly<Record<string, number>>;
  /** The worth of each of several models. */
  readonly models?: readonly (ModelWorth & { readonly best?: number })[];
}

/** An action on a search, with its arguments. */
export interface NextAction {
  readonly action: string;
  readonly args: Readonly<Record<string, number>>;
}

/** Returns the results that the kind of a search adds; undefined if there are none that can be read here. */
export function findingsIn(results: Results, kind: string | undefined): Findings | undefined {
  const own = kind === undefined ? undefined : (results[kind] as Partial<Findings> | undefined);
  const isWhole = isPath(own?.finishedPath) && isPath(own.bestPath) && typeof own.callsByPurpose === 'object';
  return isWhole && (own.answer === undefined || typeof own.answer === 'string') ? (own as Findings) : undefined;
}

/** Returns what the kind of a search says came of it, as it is kept; undefined if it leaves that to numbers. */
export function saidIn(results: Results, kind: string | undefined): { message: string; say?: unknown } | undefined {
  const own = kind === undefined ? undefined : (results[kind] as { message?: unknown; say?: unknown } | undefined);
  return typeof own?.message === 'string' ? { message: own.message, say: own.say } : undefined;
}

function isPath(said: unknown): said is readonly string[] {
  return Array.isArray(said) && said.every((each) => typeof each === 'string');
}
