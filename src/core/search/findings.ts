import type { Results } from './events.ts';

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
}

/** An action on a search, with its arguments. */
export interface NextAction {
  readonly action: string;
  readonly args: Readonly<Record<string, number>>;
}

/** The results that the kind of a search adds; undefined if there are none that can be read here. */
export function findingsIn(results: Results, kind: string | undefined): Findings | undefined {
  const own = kind === undefined ? undefined : (results[kind] as Partial<Findings> | undefined);
  const isWhole = isPath(own?.finishedPath) && isPath(own.bestPath) && typeof own.callsByPurpose === 'object';
  return isWhole && (own.answer === undefined || typeof own.answer === 'string') ? (own as Findings) : undefined;
}

function isPath(said: unknown): said is readonly string[] {
  return Array.isArray(said) && said.every((each) => typeof each === 'string');
}
