import { plannedSlots } from '../core/search/planned-slots.ts';
import type { SearchContext } from './search-context.ts';

/** Counts the slots to plan with now: workers may come and go while a search runs. */
export function slotsToPlan({ slots, concurrency }: Pick<SearchContext, 'slots' | 'concurrency'>): number {
  return slots?.areAllTaken ? plannedSlots(slots.count) : concurrency;
}
