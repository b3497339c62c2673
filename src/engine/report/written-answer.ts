import type { Turn } from '../../core/ports/model.ts';
import type { Purpose } from '../../core/ports/purpose.ts';
import { closingCall, hasRoomFor, type LargestCall } from '../calls/closing-call.ts';
import type { CountedTools, Words } from '../calls/question.ts';
import { mendedReport } from '../grounding/mended-text.ts';
import type { SearchContext } from '../search-context.ts';
import { type CleanAnswer, cleanAnswer } from './clean-answer.ts';
import type { CitedFinding } from './findings.ts';
import * as say from './messages.ts';
import { Places } from './places.ts';
import { withReferences } from './refer.ts';
import { type LinkRule, plainLine } from './safe-markdown.ts';

/** The number of times that the model may read files before it answers. */
const ROUNDS = 2;

/** The sources of an answer, and the targets to which it may link. */
interface Writing {
  readonly purpose: Purpose;
  readonly words: Words;
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
  const largest: Words = { prompt: 'x'.repeat(bytes), turns, data: { question: '' }, maxOutputTokens };
  const { tokens, usd } = ctx.asks.worst({ purpose }, largest);
  const all = { tokens: tokens * (rounds + 1), ...(usd === undefined ? {} : { usd: usd * (rounds + 1) }) };
  return hasRoomFor(ctx, all) ? { toolbox: tools.toolbox, rounds } : undefined;
}
