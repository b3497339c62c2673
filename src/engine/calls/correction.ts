import { empty } from '../../core/messages/answers.ts';
import type { Model, ModelAnswer, ModelRequest, Turn } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { isWhole } from '../../core/text/output-block.ts';
import { oneLine } from '../../core/text/text.ts';
import * as say from '../messages.ts';
import { turnsAsked } from './tool-rounds.ts';

/** The number of times that a wrong answer is sent back: small models repeat their form. */
export const CORRECTIONS = 1;
/** In characters: as much of an answer that cannot be used is quoted. */
const LONGEST_QUOTED = 200;

/**
 * Returns the text of an answer, whatever its server says of how it ended if it has come to its end.
 * @throws ThoughtTreeError `bad-answer` if it is not complete text
 */
export function completeText({ finish, text }: ModelAnswer): string {
  if (isWhole(text)) return text;
  if (finish === 'tools') throw new ThoughtTreeError('bad-answer', say.noMoreTools());
  if (finish === 'length') throw new ThoughtTreeError('bad-answer', say.answerCut());
  if (finish === 'refused') throw new ThoughtTreeError('bad-answer', say.answerRefused());
  if (text.trim() === '') throw new ThoughtTreeError('bad-answer', empty());
  return text;
}

/** A request that sends a wrong answer back, with what was wrong. */
export function corrected(request: ModelRequest, answer: ModelAnswer, wrong: string): ModelRequest {
  const { session, text } = answer;
  const turn: Turn = { role: 'assistant', text: text || '(nothing)', ...(session === undefined ? {} : { session }) };
  const prompt = `That answer cannot be used: ${wrong}\nGive the whole answer again, with this corrected.`;
  const { toolResults: _, ...rest } = request;
  return { ...rest, turns: [...turnsAsked(request), turn], prompt };
}

/** Tells whether an answer was cut off before it began: there is nothing that a model could shorten. */
export function isHopeless({ finish, text }: ModelAnswer): boolean {
  return finish === 'length' && text.trim() === '';
}

/** Why an answer could not be used in the end, in words for people: those of the error are for the model. */
export function forPeople(
  error: ThoughtTreeError,
  answer: ModelAnswer,
  { name: model }: Model,
  { maxOutputTokens: tokens }: ModelRequest,
): ThoughtTreeError {
  const { finish, text } = answer;
  const said = oneLine(text, LONGEST_QUOTED);
  const isCut = finish === 'length' && !isWhole(text);
  if (!isCut && said === '') return error;
  const cut = isHopeless(answer) ? say.noRoomForAnswer({ model, tokens }) : say.answersCut({ model, tokens });
  const what = isCut ? cut : say.answerUnusable({ model, why: error.say, said });
  return new ThoughtTreeError(error.reason, what, error.details);
}
