import type { SearchFacts } from '../core/actions/action-face.ts';
import { isResumable, searchState } from '../core/search/record/search-state.ts';
import { isSolved } from '../core/tree/tree.ts';
import { isInterim } from './report/interim.ts';
import type { Search } from './search.ts';

/**
 * An open search, for deciding what can be done to it.
 * @param isActive whether its loop is running
 * @param report report.md, if there is one
 */
export function searchFacts(
  { state, tree, record }: Search,
  isActive: boolean,
  report: string | undefined,
): SearchFacts {
  const hasReport = report !== undefined;
  const { root, counts, size } = tree;
  const isDivided = root.listed;
  const open = counts.unexpanded + counts['in-progress'];
  const isOpen = !isDivided || open > 0 || size === 0;
  const { turn, waitsOutside } = record;
  const left = searchState({
    last: turn?.type,
    waitsOutside,
    isHeld: false,
    isOpen,
    hasReport: hasReport && !isInterim(report),
  });
  const now = isActive ? state : left;
  return {
    state: now,
    isResumable: isResumable(now, { record, open, isSolved: isSolved(tree) }),
    hasBegun: record.hasBegun,
    isDivided,
    hasReport,
    failed: counts.failed,
    limit: record.limitReached,
    offers: record.offers.size,
  };
}
