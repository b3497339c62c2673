import type { Message } from '../messages/message.ts';
import { answerProblem, moreProblems } from './messages.ts';
import type { AnswerProblem } from './verdict.ts';

/** The most problems that are shown. */
const MOST = 20;

/** Returns the problems of several refused answers, one per line; none if there is one: the refusal itself says it. */
export function answerProblems(problems: readonly AnswerProblem[] = []): Message[] {
  if (problems.length < 2) return [];
  const shown = problems.slice(0, MOST).map(({ offer, say }) => answerProblem({ offer, why: say }));
  const more = problems.length - shown.length;
  return more > 0 ? [...shown, moreProblems({ count: more })] : shown;
}
