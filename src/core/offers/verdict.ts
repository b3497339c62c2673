import type { Message } from '../messages/message.ts';

/** What is wrong with one of several answers that hold together. */
export interface AnswerProblem {
  /** The offer that it answers. */
  readonly offer: string;
  /** A word that programs can tell apart. */
  readonly reason: string;
  readonly say: Message;
}

/** What a kind says to answers as a whole: what is to be kept of each, in their order, or why none of them is taken. */
export type Verdict =
  | { readonly ok: true; readonly results: readonly unknown[] }
  | { readonly ok: false; readonly problems: readonly AnswerProblem[] };
