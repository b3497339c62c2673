import type { Message } from '../messages/message.ts';

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
