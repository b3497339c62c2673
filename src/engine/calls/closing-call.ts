import type { Message } from '../../core/messages/message.ts';
import type { ModelAnswer } from '../../core/ports/model.ts';
import type { Purpose } from '../../core/ports/purpose.ts';
import { type Conversation, isAnswer, withExchange } from '../../core/search/conversation.ts';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import type { WorstCase } from '../../core/search/events.ts';
import { consequenceOf } from '../loop/consequence.ts';
import type { SearchContext } from '../search-context.ts';
import type { Words } from './question.ts';

/** The result of the report's call: an answer, or why there is none. */
export type Closing =
  | { readonly answer: ModelAnswer }
  | { readonly none: 'budget' | 'interim' }
  | { readonly none: 'failed'; readonly why: Message };

/** The report's call at its largest. */
export interface LargestCall {
  readonly purpose: Purpose;
  /** Length of its prompt, in UTF-8. */
  readonly bytes: number;
  readonly maxOutputTokens: number;
}

/** The largest share of a guard that is reserved for the report's call: a small budget is better spent on the search. */
const LARGEST_SHARE = 0.25;
const FEWEST_CALLS = 10;

/**
 * Computes the part of the budget to reserve for the report's call. Nothing if no such call will be made, if it is free,
 * or if it would take too much of a guard; it is then made if there is room left.
 */
export function reserveFor(ctx: SearchContext, call: LargestCall): () => WorstCase | undefined {
  let worst: WorstCase | undefined; // computed once: it is needed before every call
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
 * The one call that a report may make, if the budget has room for it; otherwise the report is written without it. A complete
 * answer is kept before it is used, so that it is not paid for again after a kill before the search has ended.
 * @throws ThoughtTreeError if another process now holds the search, or its files cannot be written
 */
export async function closingCall(ctx: SearchContext, purpose: Purpose, words: Words): Promise<Closing> {
  if (ctx.closing.isSilent) return { none: 'interim' };
  const { store, history } = ctx;
  const id = `report-${history.past.unreportedSince}`;
  const kept = keptAnswer(await store.readConversation(id), purpose, words.prompt);
  if (kept) return { answer: kept };
  // The caller would wait for calls under way to end; those of a killed run never do.
  const mayCall = (worst: WorstCase): boolean => hasRoomFor(ctx, worst);
  try {
    const answer = await ctx.asks.askOnce({ purpose }, words, ctx.closing.signal, mayCall);
    if (!answer) return { none: 'budget' };
    if (answer.finish === 'stop') {
      const conversation = withExchange({ id, turns: [] }, purpose, { text: words.prompt }, answer.text, {}, []);
      await Promise.all([store.writeConversation(conversation), history.flush()]);
    }
    return { answer };
  } catch (error) {
    const consequence = consequenceOf(error);
    if (consequence === 'lost' || consequence === 'store') throw error;
    return consequence === 'budget' ? { none: 'budget' } : { none: 'failed', why: toThoughtTreeError(error).say };
  }
}

/** Tells whether the budget has room for a call, or several. */
export function hasRoomFor({ history, limits, clock }: SearchContext, worst: WorstCase): boolean {
  return history.ledger.guardInTheWay(limits.now.guards, worst, clock.now()) === undefined;
}

function keptAnswer(kept: Conversation | undefined, purpose: Purpose, prompt: string): ModelAnswer | undefined {
  const [asked, answer] = kept?.turns ?? [];
  if (asked?.text !== prompt || !answer || !isAnswer(answer) || answer.purpose !== purpose) return undefined;
  return { text: answer.text, finish: 'stop' };
}
