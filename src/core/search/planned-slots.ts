import { MOST_SLOTS } from './search-file.ts';

/** Others may come later. */
const LEAST_PLANNED = 4;

/** Returns the slots that a search plans with if it takes as many as there are: so far ahead it ranks names. */
export function plannedSlots(count: number): number {
  return Math.min(MOST_SLOTS, Math.max(LEAST_PLANNED, count));
}
