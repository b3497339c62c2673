import { foreign, type Message } from '../messages/message.ts';
import type { ServerDoubt } from '../money/usage-doubt.ts';
import type { AnswerProblem } from '../offers/verdict.ts';
import type { Delivery } from './events.ts';

const MARK = Symbol.for('thought-tree.error');

/** The cause of an error, as a code that programs can distinguish. */
export type Reason =
  // a model's answer
  | 'unreachable'
  | 'rate-limited'
  | 'server-error'
  | 'key-refused'
  | 'quota-exceeded'
  | 'unknown-model'
  | 'redirected'
  | 'bad-request'
  | 'timed-out'
  | 'cut-off'
  | 'refused'
  | 'bad-answer'
  | 'aborted'
  // files
  | 'not-found'
  | 'not-writable'
  | 'disk-full'
  | 'damaged'
  | 'newer-version'
  | 'outside'
  // a search
  | 'held'
  | 'lease-lost'
  | 'bad-input'
  | 'exists'
  | 'budget'
  | 'declined'
  | 'five-failures'
  | 'at-rest'
  | 'edited'
  // an offer
  | 'offer-gone'
  | 'offer-answered'
  | 'offer-taken'
  | 'offer-expired'
  // a search for a solution, in the terms of the system it comes from
  | 'INVALID_FORMAT'
  | 'GENERATION_FAILED'
  | 'EVALUATION_TIMEOUT'
  | 'SEARCH_EXHAUSTED'
  | 'internal';

/** The details of an error besides its reason and message. */
export interface ErrorDetails {
  /** The time that the model's server asks us to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** False if the failed request cannot have cost anything (an HTTP error before the answer). */
  readonly charged?: boolean;
  /** True if prompt and answer together are too long for the model. */
  readonly isTooLong?: boolean;
  /** The longest prompt plus answer that its server told of when it refused one that is too long, in tokens. */
  readonly contextTokens?: number | undefined;
  /** True if the same will be asked in another form from now on, since the server does not take the one that was sent. */
  readonly asksOtherwise?: boolean;
  /** True if the model, or its server, takes no tools: the same request without them may be answered. */
  readonly refusesTools?: boolean;
  /** True if the model, or its server, takes no schema of an answer. */
  readonly refusesSchema?: boolean;
  /** The reasons why the figures of a model's server cannot be trusted. */
  readonly doubts?: readonly ServerDoubt[];
  /** Which delivery of a call failed, if there may be another one. */
  readonly making?: Delivery;
  /** The file concerned, and the line (from 1), if known. */
  readonly file?: string;
  readonly line?: number;
  /** The spend limit that is in the way, for `budget`. */
  readonly guard?: 'calls' | 'tokens' | 'usd' | 'minutes';
  /** The one of several models whose own limit that is. */
  readonly model?: string;
  /** The problem of each answer, if several were refused. */
  readonly problems?: readonly AnswerProblem[];
  readonly cause?: unknown;
}

/** The only family of errors. Their messages are for people: what happened, and what to do about it. */
export class ThoughtTreeError extends Error {
  readonly reason: Reason;
  /** The message to show; `message` is its English text. */
  readonly say: Message;
  readonly details: ErrorDetails;

  constructor(reason: Reason, say: Message, details: ErrorDetails = {}) {
    super(say.text, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ThoughtTreeError';
    this.reason = reason;
    this.say = say;
    this.details = details;
    // Bundles carry their own copy of this class, so `instanceof` is unreliable between them; the mark is not.
    Object.defineProperty(this, MARK, { value: true });
  }
}

/** Tells whether this is one of our errors and, if reasons are given, has one of them. */
export function isThoughtTreeError(error: unknown, ...reasons: Reason[]): error is ThoughtTreeError {
  if (typeof error !== 'object' || error === null || !(MARK in error)) return false;
  return reasons.length === 0 || reasons.includes((error as unknown as ThoughtTreeError).reason);
}

/** Returns an unknown error as one of ours; unforeseen ones are `internal`. */
export function toThoughtTreeError(error: unknown): ThoughtTreeError {
  if (isThoughtTreeError(error)) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new ThoughtTreeError('internal', foreign({ text }), { cause: error });
}
