import type { ModelAnswer, ModelRequest } from '../../../core/ports/model.ts';
import { toThoughtTreeError } from '../../../core/search/errors.ts';
import type { WorstCase } from '../../../core/search/events.ts';
import { worstCase } from '../../../engine/calls/model-caller.ts';
import { consequenceOf } from '../../../engine/consequence.ts';
import { type CleanAnswer, cleanAnswer } from '../../../engine/report/clean-answer.ts';
import { plainLine } from '../../../engine/report/safe-markdown.ts';
import { requestFor, type SearchContext } from '../../../engine/search-context.ts';
import { synthesisPrompt } from '../prompts/synthesis-prompt.ts';
import type { Material } from './material.ts';
import { PROMPT_BYTES, synthesisData } from './synthesis-data.ts';
import { words } from './words.ts';

/** The longest answer asked for, in tokens: a page in any language, and what a model thinks before it. */
const MAX_OUTPUT_TOKENS = 4000;
/** The most of a guard that is kept free for the opening: a small budget is better spent on the search. */
const LARGEST_SHARE = 0.2;
const FEWEST_CALLS = 10;

const LONGEST_PROMPT = 'x'.repeat(PROMPT_BYTES);
const known = new WeakMap<SearchContext, WorstCase>();

/**
 * What has to stay free of the budget for the report's opening: its call at its worst. Nothing where no such call will
 * be made, where it costs nothing, or where it would take too much of a guard; it is then made if there is room left.
 */
export function keptForReport(ctx: SearchContext): WorstCase | undefined {
  if (ctx.model.prose === false || ctx.model.free) return undefined;
  const { calls, tokens, usd } = ctx.limits.guards;
  if (calls !== undefined && calls < FEWEST_CALLS) return undefined;
  const kept = worstOf(ctx);
  if (tokens !== undefined && kept.tokens > LARGEST_SHARE * tokens) return undefined;
  if (usd !== undefined && (kept.usd ?? 0) > LARGEST_SHARE * usd) return undefined;
  return kept;
}

/** Worked out once: it is asked for before every call. */
function worstOf(ctx: SearchContext): WorstCase {
  const worst = known.get(ctx) ?? worstCase(requestWith(ctx, LONGEST_PROMPT, NO_DATA), ctx.model);
  known.set(ctx, worst);
  return worst;
}

const NO_DATA: ModelRequest['data'] = { purpose: 'synthesize', question: '', outline: '', documents: [], notes: '' };

function requestWith(ctx: SearchContext, prompt: string, data: ModelRequest['data']): ModelRequest {
  return { ...requestFor(ctx, 'synthesize', undefined), turns: [], prompt, data, maxOutputTokens: MAX_OUTPUT_TOKENS };
}

/**
 * Asks the model for the report's opening, once: `text` is Markdown that can stand in the report as it is, `why` says
 * in words why there is none.
 * @throws ThoughtTreeError where another process holds the search by now, or its files cannot be written
 */
export async function askForOpening(material: Material): Promise<CleanAnswer> {
  const { ctx } = material;
  const { data, nodeLinks } = await synthesisData(material);
  const request = requestWith(ctx, synthesisPrompt(data), data);
  // The caller would wait for calls under way to end; those of a run that was killed never do.
  const worst = worstCase(request, ctx.model);
  if (ctx.history.ledger.guardInTheWay(ctx.limits.guards, worst, ctx.clock.now())) return { why: words.why.budget };
  let answer: ModelAnswer;
  try {
    const answered = await ctx.asker.caller.call(request, 1, ctx.closing.signal);
    answer = answered.answer;
    const { system, prompt } = request;
    await ctx.store.writeCall({ id: answered.call, system, turns: [], prompt, answer: answer.text });
  } catch (error) {
    const consequence = consequenceOf(error);
    if (consequence === 'lost' || consequence === 'store') throw error;
    if (consequence === 'budget') return { why: words.why.budget };
    return { why: words.why.failed(plainLine(toThoughtTreeError(error).message, 200).replace(/\.$/, '')) };
  }
  if (answer.finish === 'length') return { why: words.why.cut };
  if (answer.finish === 'refused') return { why: words.why.refused };
  return cleanAnswer(material, answer.text, nodeLinks);
}
