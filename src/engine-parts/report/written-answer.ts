import type { Message } from '../../core/messages/message.ts';
import type { Model, ModelAnswer, Purpose, Turn } from '../../core/ports/model.ts';
import { type Conversation, isAnswer, withExchange } from '../../core/search/conversation.ts';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import type { WorstCase } from '../../core/search/events.ts';
import { parseLeniently } from '../../core/text/document.ts';
import { proseIn, withoutFence } from '../../core/text/model-output.ts';
import type { SearchContext } from '../../engine/context.ts';
import { consequenceOf } from '../../engine/loop.ts';
import type { CountedTools, Prompt } from '../../engine/question.ts';
import { mendedReport } from '../citations/mark-document.ts';
import { type CitedFinding, Places, withReferences } from './findings.ts';
import * as say from './messages.ts';
import { blocksOf, type LinkRule, plainLine, safeBlock, visibleText } from './safe-markdown.ts';

/** The number of times that the model may read files before it answers. */
const ROUNDS = 2;

/** The sources of an answer, and the targets to which it may link. */
interface Writing {
  readonly purpose: Purpose;
  readonly words: Prompt;
  /** By number, from 1. */
  readonly findings: readonly CitedFinding[];
  /** The links of its own that stay; those to lines of files do as well. */
  readonly link: LinkRule;
}

/**
 * Asks the model for the answer that a report begins with: `text` is Markdown that can be used in the report as it is, with
 * links to the lines that it cites; `why` says why there is none.
 * @throws ThoughtTreeError if another process now holds the search, or its files cannot be written
 */
export async function writtenAnswer(
  ctx: SearchContext,
  { purpose, words, findings, link }: Writing,
): Promise<CleanAnswer> {
  const closing = await closingCall(ctx, purpose, words);
  if ('answer' in closing) {
    const { finish, text: said } = closing.answer;
    if (finish === 'length') return { why: say.cutOff() };
    if (finish === 'refused') return { why: say.refused() };
    const text = await mendedReport(ctx.workspaceText, said);
    const places = await Places.lookUp(ctx, [text, ...findings.flatMap(({ cites }) => cites)]);
    const linked: LinkRule = (target) => (places.has(target) ? target : link(target));
    return cleanAnswer(text, linked, (body) => withReferences(body, findings, places));
  }
  if (closing.none !== 'failed') return { why: say.noBudget() };
  return { why: say.callFailed({ why: plainLine(ctx.show(closing.why), 200).replace(/\.$/, '') }) };
}

/**
 * Returns the tools that the model may use before that answer; undefined if it has none, or the budget no room for them.
 * @param rounds how often
 * @param turns what is sent before the prompt
 */
export function toolsForAnswer(
  ctx: SearchContext,
  { purpose, bytes, maxOutputTokens }: LargestCall,
  rounds = ROUNDS,
  turns: readonly Turn[] = [],
): CountedTools | undefined {
  const { tools } = ctx.asks;
  const model = ctx.modelFor(purpose);
  if (!tools || model.tools !== true || model.worksByItself) return undefined;
  const largest: Prompt = { prompt: 'x'.repeat(bytes), turns, data: { question: '' }, maxOutputTokens };
  const { tokens, usd } = ctx.asks.worst({ purpose }, largest);
  const all = { tokens: tokens * (rounds + 1), ...(usd === undefined ? {} : { usd: usd * (rounds + 1) }) };
  return hasRoomFor(ctx, all) ? { toolbox: tools.toolbox, rounds } : undefined;
}

/** A page is about 6,000 characters, without the addresses of its links; anything much longer is not an opening. */
const LONGEST = 16_000;
const LONGEST_LINKED = 60_000;
const MOST_LINES = 160;

/** A model's answer as text for the report, or why it is unusable. */
export type CleanAnswer = { readonly text: string } | { readonly why: Message };

/**
 * A model's answer as the opening of the report, in which everything that is not plain Markdown becomes plain text.
 * @param link the links that stay; all others become plain text
 * @param refer makes links of what the answer refers to
 */
export function cleanAnswer(
  answer: string,
  link: LinkRule,
  refer: (body: string) => string = (body) => body,
): CleanAnswer {
  const whole = answer.slice(0, 2 * LONGEST);
  // Models that are asked for lists in such a block put their prose into one, too.
  const trimmed = visibleText(proseIn(whole)).trim();
  const said = parseLeniently(withoutOuterFence(trimmed)).body.trim();
  if (said.length > LONGEST || answer.length > 2 * LONGEST) return { why: say.farTooLong() };
  const referred = refer(said);
  const body = referred.length > LONGEST_LINKED ? said : referred;
  const text = blocksOf(body)
    .map((block) => safeBlock(block, link))
    .join('\n\n');
  if (!/[\p{L}\p{N}]/u.test(text)) return { why: say.noneGiven() };
  return text.split('\n').length > MOST_LINES ? { why: say.farTooLong() } : { text };
}

function withoutOuterFence(answer: string): string {
  return /^(?:`{3,}|~{3,})(?:markdown|md)?\s*\n/.test(answer) ? withoutFence(answer) : answer;
}

/** The result of the report's call: an answer, or why there is none. */
export type Closing =
  | { readonly answer: ModelAnswer }
  | { readonly none: 'budget' | 'interim' }
  | { readonly none: 'failed'; readonly why: Message };

/** The report's call at its largest. */
interface LargestCall {
  readonly purpose: Purpose;
  /** Length of its prompt, in UTF-8. */
  readonly bytes: number;
  readonly maxOutputTokens: number;
}

/** The largest share of a spend limit that is reserved for the report's call: a small budget is better spent on the search. */
const LARGEST_SHARE = 0.25;
const FEWEST_CALLS = 10;

/**
 * Computes the part of the budget to reserve for the report's call. Nothing if no such call will be made, if it is free,
 * or if it would take too much of a spend limit; it is then made if there is room left.
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
 * A call that a report makes, if the budget has room for it; otherwise the report is written without it. A complete
 * answer is kept before it is used, so that it is not paid for again after a kill before the search has ended.
 * @throws ThoughtTreeError if another process now holds the search, or its files cannot be written
 */
export async function closingCall(ctx: SearchContext, purpose: Purpose, words: Prompt): Promise<Closing> {
  if (ctx.closing.isSilent) return { none: 'interim' };
  const { store, history } = ctx;
  const id = `report-${history.past.unreportedSince}`;
  const kept = (await store.readConversation(id)) ?? { id, turns: [] };
  const before = keptAnswer(kept, purpose, words.prompt);
  if (before) return { answer: before };
  // The caller would wait for calls under way to end; those of a killed run never do.
  const mayCall = (worst: WorstCase): boolean => hasRoomFor(ctx, worst);
  try {
    const answer = await ctx.asks.askOnce({ purpose }, words, ctx.closing.signal, mayCall);
    if (!answer) return { none: 'budget' };
    if (answer.finish === 'stop') {
      const conversation = withExchange(kept, purpose, { text: words.prompt }, answer.text, {}, []);
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
function hasRoomFor({ history, limits, clock }: SearchContext, worst: WorstCase): boolean {
  return history.ledger.limitInTheWay(limits.now.guards, worst, clock.now()) === undefined;
}

function keptAnswer({ turns }: Conversation, purpose: Purpose, prompt: string): ModelAnswer | undefined {
  const answer = turns.find((turn, at) => isAnswer(turn) && turn.purpose === purpose && turns[at - 1]?.text === prompt);
  return answer && { text: answer.text, finish: 'stop' };
}

/** The share of a small model's context that an answer may take, if more is requested. */
const LARGEST_ANSWER = 0.25;

/** The longest answer to ask a model for, in tokens, beside what it has to read. */
export function answerThatFits({ contextTokens }: Pick<Model, 'contextTokens'>, wanted: number): number {
  return contextTokens === undefined ? wanted : Math.min(wanted, Math.floor(LARGEST_ANSWER * contextTokens));
}
