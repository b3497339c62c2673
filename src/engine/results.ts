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

/** The results of a finished search, in one line. */
export function completed({ expanded, leaves, skipped }: Results): Message {
  return say.complete({ expanded, leaves: say.leaves({ count: leaves }), skipped });
}
