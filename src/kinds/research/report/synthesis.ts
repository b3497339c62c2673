import { closingCall } from '../../../engine/calls/closing-call.ts';
import { plainLine } from '../../../engine/report/safe-markdown.ts';
import { synthesisPrompt } from '../prompts/synthesis-prompt.ts';
import { type CleanAnswer, cleanAnswer } from './clean-answer.ts';
import type { Material } from './material.ts';
import * as say from './messages.ts';
import { PROMPT_BYTES, synthesisData } from './synthesis-data.ts';

/** The call for the opening: a page in any language, and the model's thinking before it. */
export const OPENING_CALL = { purpose: 'synthesize', bytes: PROMPT_BYTES, maxOutputTokens: 4000 } as const;

/**
 * Asks the model for the report's opening, once: `text` is Markdown that can be used in the report as it is, `why` says
 * why there is none.
 * @throws ThoughtTreeError if another process now holds the search, or its files cannot be written
 */
export async function askForOpening(material: Material): Promise<CleanAnswer> {
  const { ctx } = material;
  const { data, nodeLinks } = await synthesisData(material);
  const closing = await closingCall(ctx, OPENING_CALL.purpose, {
    prompt: synthesisPrompt(data),
    data,
    maxOutputTokens: OPENING_CALL.maxOutputTokens,
  });
  if ('answer' in closing) {
    const { finish, text } = closing.answer;
    if (finish === 'length') return { why: say.cutOff() };
    if (finish === 'refused') return { why: say.refused() };
    return cleanAnswer(material, text, nodeLinks);
  }
  if (closing.none !== 'failed') return { why: say.noBudget() };
  return { why: say.callFailed({ why: plainLine(ctx.show(closing.why), 200).replace(/\.$/, '') }) };
}
