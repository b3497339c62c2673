import type { Message } from '../../core/messages/message.ts';
import type { ModelAnswer } from '../../core/ports/model.ts';
import type { Purpose } from '../../core/ports/purpose.ts';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import type { WorstCase } from '../../core/search/events.ts';
import { consequenceOf } from '../consequence.ts';
import type { SearchContext } from '../search-context.ts';
import type { Words } from './question.ts';

/** What came of the report's call: an answer, or why there is none. */
export type Closing =
  | { readonly answer: ModelAnswer }
  | { readonly none: 'budget' }
  | { readonly none: 'failed'; readonly why: Message };

/** The report's call at its largest. */
export interface LargestCall {
  readonly purpose: Purpose;
  /** Of its prompt, in UTF-8. */
  readonly bytes: number;
  readonly maxOutputTokens: number;
}

/** The most of a guard that is kept free for the report's call: a small budget is better spent on the search. */
const LARGEST_SHARE = 0.2;
const FEWEST_CALLS = 10;

/**
 * Says what has to stay free of the budget for the report's call. Nothing where no such call will be made, where it costs
 * nothing, or where it would take too much of a guard; it is then made if there is room left.
 */
export function reserveFor(ctx: SearchContext, call: LargestCall): () => WorstCase | undefined {
  let worst: WorstCase | undefined; // worked out once: it is asked for before every call
  return () => {
    if (ctx.model.prose === false || ctx.model.free) return undefined;
    const { calls, tokens, usd } = ctx.limits.now.guards;
    if (calls !== undefined && calls < FEWEST_CALLS) return undefined;
    worst ??= worstOf(ctx, call);
    if (tokens !== undefined && worst.tokens > LARGEST_SHARE * tokens) return undefined;
    if (usd !== undefined && (worst.usd ?? 0) > LARGEST_SHARE * usd) return undefined;
    return worst;
  };
}

function worstOf(ctx: SearchContext, { purpose, bytes, maxOutputTokens }: LargestCall): WorstCase {
  return ctx.asks.worst({ purpose }, { prompt: 'x'.repeat(bytes), data: { question: '' }, maxOutputTokens });
}

/**
 * The one call that a report may make: made once, where the budget has room for it; a report is written without it.
 * @throws ThoughtTreeError where another process holds the search by now, or its files cannot be written
 */
export async function closingCall(ctx: SearchContext, purpose: Purpose, words: Words): Promise<Closing> {
  // The caller would wait for calls under way to end; those of a run that was killed never do.
  const worst = ctx.asks.worst({ purpose }, words);
  if (ctx.history.ledger.guardInTheWay(ctx.limits.now.guards, worst, ctx.clock.now())) return { none: 'budget' };
  try {
    return { answer: await ctx.asks.askOnce({ purpose }, words, ctx.closing.signal) };
  } catch (error) {
    const consequence = consequenceOf(error);
    if (consequence === 'lost' || consequence === 'store') throw error;
    return consequence === 'budget' ? { none: 'budget' } : { none: 'failed', why: toThoughtTreeError(error).say };
  }
}
