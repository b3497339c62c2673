import { empty } from '../../core/messages/answers.ts';
import type { Model, ModelAnswer, ModelRequest, Turn } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import * as say from '../messages.ts';
import { turnsAsked } from './tool-rounds.ts';

/** How often a wrong answer is sent back. */
export const CORRECTIONS = 2;

/** @throws ThoughtTreeError `bad-answer` if the answer is not complete text */
export function completeText({ finish, text }: ModelAnswer): string {
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

/** Whether an answer was cut off before it began: there is nothing that a model could shorten. */
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
  if (answer.finish !== 'length') return error;
  const what = isHopeless(answer) ? say.noRoomForAnswer({ model, tokens }) : say.answersCut({ model, tokens });
  return new ThoughtTreeError(error.reason, what, error.details);
}
