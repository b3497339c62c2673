import type { Spend } from '../core/money/ledger.ts';
import type { Results } from '../core/search/events.ts';
import type { Tree } from '../core/tree/tree.ts';

/** What a search has come to. */
export function resultsOf(tree: Tree, spend: Spend, skipped: number): Results {
  const { counts } = tree;
  return {
    expanded: counts.expanded,
    leaves: counts.leaf,
    skipped,
    failed: counts.failed,
    pruned: counts.pruned,
    open: counts.unexpanded + counts['in-progress'],
    calls: spend.calls,
    tokens: {
      prompt: spend.prompt,
      cached: spend.cached,
      completion: spend.completion,
      worstCase: spend.worstCase,
    },
    usd: spend.usd,
    usdComplete: spend.usdComplete,
    minutes: spend.minutes,
  };
}
