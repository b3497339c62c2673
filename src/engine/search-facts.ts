import type { SearchFacts } from '../core/actions/action-face.ts';
import type { Search } from './search.ts';

/**
 * An open search, for what can be done with it.
 * @param isActive whether its loop is at work
 */
export function searchFacts({ state, tree, record }: Search, isActive: boolean, hasReport: boolean): SearchFacts {
  const { root, counts } = tree;
  const isOpen = state !== 'finished' || (!record.isDone && counts.unexpanded > 0);
  return {
    state,
    isResumable: !isActive && isOpen,
    isDivided: root.listed,
    hasReport,
    failed: counts.failed,
    offers: record.offers.size,
  };
}
