import type { CallPlace, CallState } from '../queue.ts';

/** The number of times that a call that cost nothing is sent again by itself: its worker could not carry it out now. */
export const SENDINGS = 1000;

/** One that was answered just now has its answer at the next look. */
const MAY_BE_ANSWERED: ReadonlySet<CallState> = new Set<CallState>(['waiting', 'taken', 'answered']);

/** Where each sending of a call is in the queue, the last one first: those before it cost nothing and said nothing. */
export function sendingsOf(placeOf: (again: number) => CallPlace): readonly CallPlace[] {
  return Array.from({ length: SENDINGS + 1 }, (_, before) => placeOf(SENDINGS - before));
}

/** The first one whose answer may still come. */
export function openAmong(
  sendings: readonly CallPlace[],
  states: ReadonlyMap<string, CallState>,
): CallPlace | undefined {
  return sendings.find(({ id }) => MAY_BE_ANSWERED.has(states.get(id) ?? 'unknown'));
}
