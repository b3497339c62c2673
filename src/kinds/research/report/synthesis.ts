import type { WorstCase } from '../../../core/search/events.ts';
import type { SynthesisData } from '../../../core/search/prompt-data.ts';
import { closingCall } from '../../../engine/calls/closing-call.ts';
import { plainLine } from '../../../engine/report/safe-markdown.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import { synthesisPrompt } from '../prompts/synthesis-prompt.ts';
import { type CleanAnswer, cleanAnswer } from './clean-answer.ts';
import type { Material } from './material.ts';
import * as say from './messages.ts';
import { PROMPT_BYTES, synthesisData } from './synthesis-data.ts';

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
  const longest = { prompt: LONGEST_PROMPT, data: NO_DATA, maxOutputTokens: MAX_OUTPUT_TOKENS };
  const worst = known.get(ctx) ?? ctx.asks.worst({ purpose: 'synthesize' }, longest);
  known.set(ctx, worst);
  return worst;
}

const NO_DATA: SynthesisData = { purpose: 'synthesize', question: '', outline: '', documents: [], notes: '' };

/**
 * Asks the model for the report's opening, once: `text` is Markdown that can be in the report as it is, `why` says
 * why there is none.
 * @throws ThoughtTreeError where another process holds the search by now, or its files cannot be written
 */
export async function askForOpening(material: Material): Promise<CleanAnswer> {
  const { ctx } = material;
  const { data, nodeLinks } = await synthesisData(material);
  const closing = await closingCall(ctx, 'synthesize', {
    prompt: synthesisPrompt(data),
    data,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
  });
  if ('answer' in closing) {
    const { finish, text } = closing.answer;
    if (finish === 'length') return { why: say.cutOff() };
    if (finish === 'refused') return { why: say.refused() };
    return cleanAnswer(material, text, nodeLinks);
  }
  if (closing.none === 'budget') return { why: say.noBudget() };
  return { why: say.callFailed({ why: plainLine(ctx.show(closing.why), 200).replace(/\.$/, '') }) };
}
