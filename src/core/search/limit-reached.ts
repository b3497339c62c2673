import type { Guard, Guards } from './limits.ts';

/** A guard that a search rests at, and what it allows. */
export interface LimitReached {
  readonly guard: Guard;
  readonly limit: number;
}

/** Returns the value that the guard is raised to, for continuing: twice as much. */
export function raisedTo({ limit }: LimitReached): number {
  return limit * 2 || 1;
}

/** Returns that value in the form in which guards are set. */
export function raisedGuards(reached: LimitReached): Guards {
  return { [reached.guard]: raisedTo(reached) };
}
