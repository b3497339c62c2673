import type { SearchFacts } from '../core/actions/action-face.ts';
import { isResumable, searchState } from '../core/search/record/search-state.ts';
import type { Search } from './search.ts';

/**
 * An open search, for what can be done with it. Whoever opens it to act on it does not run it: it is as it was left, as
 * those see it who look at it from outside.
 * @param isActive whether its loop is at work
 */
export function searchFacts({ state, tree, record }: Search, isActive: boolean, hasReport: boolean): SearchFacts {
  const { root, counts, size } = tree;
  const isDivided = root.listed;
  const open = counts.unexpanded + counts['in-progress'];
  const isOpen = !isDivided || open > 0 || size === 0;
  const { turn, waitsOutside, isDone } = record;
  const left = searchState({ last: turn?.type, waitsOutside, isHeld: false, isOpen, hasReport });
  const now = isActive ? state : left;
  return {
    state: now,
    isResumable: isResumable(now, isDone, open),
    isDivided,
    hasReport,
    failed: counts.failed,
    offers: record.offers.size,
  };
}
