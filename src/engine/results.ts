import type { Message } from '../core/messages/message.ts';
import type { Spend } from '../core/money/ledger.ts';
import type { Results } from '../core/search/events.ts';
import type { Tree } from '../core/tree/tree.ts';
import * as say from './messages.ts';

/** The results of a search. */
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
    booked: spend.booked,
  };
}

/** Tells whether a search tried something, and all of it failed. */
export function isNothing({ expanded, leaves, failed }: Pick<Results, 'expanded' | 'leaves' | 'failed'>): boolean {
  return failed > 0 && expanded + leaves === 0;
}

/** The results of a finished search, in one line. */
export function completed(results: Results): Message {
  if (isNothing(results)) return say.nothingWritten();
  const { expanded, leaves: count, skipped, failed } = results;
  const counts = { expanded, leaves: say.leaves({ count }), skipped };
  return failed > 0 ? say.completeButFailed({ ...counts, failed }) : say.complete(counts);
}
