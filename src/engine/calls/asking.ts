import type { ModelRequest } from '../../core/ports/model.ts';
import type { AskedTurn, Conversation, Round } from '../../core/search/conversation.ts';
import type { KeptWords } from '../../core/search/kept-words.ts';
import type { Answered } from '../budget/model-caller.ts';
import type { Question, Words } from './question.ts';
import type { ToolUser } from './tool-rounds.ts';

/** A question under way. */
export interface Asking<T> {
  readonly question: Question<T>;
  /** Outlives retries and corrections; if the answer is kept, it outlives the process as well. */
  readonly id: string;
  readonly before: Conversation;
  /** As first asked, and as kept in a conversation. */
  readonly asked: AskedTurn;
  /** The request that is sent next. */
  request: ModelRequest;
  /** The conversations that were sent, if everything sent is in conversations. */
  after: readonly Conversation[] | undefined;
  /** The tools that may be used; undefined if there are none. */
  readonly tools: ToolUser | undefined;
  /** The uses of tools on the way to the answer. */
  rounds: readonly Round[];
  /** The number of calls made, also by earlier processes. */
  made: number;
  /** True if it got more room, since its answer was cut off with little text. */
  isWidened?: boolean;
  /** The room for reasoning in its request, until that turned out to be too much for the model's context. */
  room: number;
  /** The size of the model's context as known when it was asked, in tokens; infinite if it was not known. */
  context: number;
  /** The last call, as long as it has no answer. */
  unanswered?: string | undefined;
}

/** An answer that passed its check, and the call that produced it. */
export interface Given<T> extends Answered {
  readonly value: T;
  readonly request: ModelRequest;
}

/** The conversations whose turns a request with these words sends; undefined if it sends others. */
export function afterOf({ after, turns = [] }: Words): readonly Conversation[] | undefined {
  return turns.length === 0 ? (after ?? []) : after;
}

/** Where the words of the next call will be kept, if its answer is usable. */
export function keptBy<T>({ before, after, rounds, request }: Asking<T>): KeptWords | undefined {
  if (!after) return undefined;
  const prompt = before.turns.length + rounds.length;
  const own = request.turns.length > 0 ? [{ conversation: before.id, turns: prompt }] : [];
  const above = after.map(({ id, turns }) => ({ conversation: id, turns: turns.length }));
  const sent = [...above, ...own].filter(({ turns }) => turns > 0);
  return { conversation: before.id, turn: prompt + 1, ...(sent.length > 0 ? { after: sent } : {}) };
}
