import type { Message } from '../messages/message.ts';
import { answerProblem, moreProblems } from './messages.ts';

/** The problem of one of several answers that are accepted together or not at all. */
export interface AnswerProblem {
  /** The offer that it answers. */
  readonly offer: string;
  /** A code that programs can distinguish. */
  readonly reason: string;
  readonly say: Message;
}

/** A kind's verdict on a set of answers: what to keep of each, in order, or why none of them is accepted. */
export type Verdict =
  | { readonly ok: true; readonly results: readonly unknown[] }
  | { readonly ok: false; readonly problems: readonly AnswerProblem[] };

/** The most problems that are shown. */
const MOST = 20;

/** Returns the problems of several refused answers, one per line; none if there is one: the refusal itself says it. */
export function answerProblems(problems: readonly AnswerProblem[] = []): Message[] {
  if (problems.length < 2) return [];
  const shown = problems.slice(0, MOST).map(({ offer, say }) => answerProblem({ offer, why: say }));
  const more = problems.length - shown.length;
  return more > 0 ? [...shown, moreProblems({ count: more })] : shown;
}
