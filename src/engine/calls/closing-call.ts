import type { Message } from '../../core/messages/message.ts';
import type { ModelAnswer } from '../../core/ports/model.ts';
import type { Purpose } from '../../core/ports/purpose.ts';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import { consequenceOf } from '../consequence.ts';
import type { SearchContext } from '../search-context.ts';
import type { Words } from './question.ts';

/** What came of the report's call: an answer, or why there is none. */
export type Closing =
  | { readonly answer: ModelAnswer }
  | { readonly none: 'budget' }
  | { readonly none: 'failed'; readonly why: Message };

/**
 * The one call that a report may make: made once, where the budget has room for it; a report is written without it.
 * @throws ThoughtTreeError where another process holds the search by now, or its files cannot be written
 */
export async function closingCall(ctx: SearchContext, purpose: Purpose, words: Words): Promise<Closing> {
  // The caller would wait for calls under way to end; those of a run that was killed never do.
  const worst = ctx.asks.worst({ purpose }, words);
  if (ctx.history.ledger.guardInTheWay(ctx.limits.guards, worst, ctx.clock.now())) return { none: 'budget' };
  try {
    return { answer: await ctx.asks.askOnce({ purpose }, words, ctx.closing.signal) };
  } catch (error) {
    const consequence = consequenceOf(error);
    if (consequence === 'lost' || consequence === 'store') throw error;
    return consequence === 'budget' ? { none: 'budget' } : { none: 'failed', why: toThoughtTreeError(error).say };
  }
}
