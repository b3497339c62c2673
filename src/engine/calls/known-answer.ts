import { type Conversation, isAnswer } from '../../core/search/conversation.ts';
import type { LeafReason } from '../../core/tree/node-status.ts';
import type { KeptAnswer, Question } from './question.ts';

/** An answer, and the result of its check. */
interface Checked<T> {
  readonly value: T;
  readonly answer: { readonly text: string; readonly leafReason?: LeafReason | undefined };
}

/** The answer that a conversation already contains. */
export function knownAnswer<T>({ purpose, keep, check }: Question<T>): KeptAnswer<T> | undefined {
  if (!keep) return undefined;
  const { conversation, nth = 0, isLike = () => true } = keep;
  const like = conversation.turns.filter((turn, at) => isAnswer(turn) && turn.purpose === purpose && isLike(turn, at));
  const answer = like[nth];
  return answer && answerOf({ value: check(answer.text), answer }, conversation);
}

/** The result of a question, once its answer is kept. */
export function answerOf<T>({ value, answer }: Checked<T>, conversation: Conversation): KeptAnswer<T> {
  return { value, text: answer.text, leafReason: answer.leafReason, conversation };
}
