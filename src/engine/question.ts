import { empty } from '../core/messages/answers.ts';
import type { Model, ModelAnswer, ModelRequest, PromptData, Purpose, Turn, Workplace } from '../core/ports/model.ts';
import type { Store } from '../core/ports/store.ts';
import { type Toolbox, wordsOf } from '../core/ports/tool.ts';
import {
  type AnswerMarks,
  type AskedTurn,
  type Conversation,
  type ConversationTurn,
  isAnswer,
  type Round,
  withExchange,
  withRounds,
} from '../core/search/conversation.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import type { KeptTranscript } from '../core/search/events.ts';
import { isWhole } from '../core/text/model-output.ts';
import { oneLine } from '../core/text/text.ts';
import type { LeafReason } from '../core/tree/node-file.ts';
import type { TreeNode } from '../core/tree/tree.ts';
import type { History } from './history.ts';
import * as say from './messages.ts';
import type { Answered } from './model-caller.ts';
import { type ToolUser, turnsAsked } from './tools.ts';

/** The prompt, and the turns that are sent before it. Created only if no answer is kept. */
export interface Prompt {
  readonly prompt: string;
  /** The marks that are recorded with the prompt when it is kept. */
  readonly noted?: Omit<AskedTurn, 'text'>;
  /** The prompt as typed data, for models that read no prose. */
  readonly data: PromptData;
  /** The longest answer requested, in tokens. */
  readonly maxOutputTokens: number;
  /** The turns before it; none by default. */
  readonly turns?: readonly Turn[];
  /** The number of turns that come from the nodes above. */
  readonly shared?: number;
  /**
   * The conversations that these turns come from, as they are on disk, before those of the conversation that keeps the
   * answer; undefined if the turns are others, so that the call is recorded separately.
   */
  readonly after?: readonly Conversation[];
  /** True if a model with tools may use those of the search. */
  readonly mayUseTools?: boolean;
  /** The number of times that it may ask for those before it has to answer; by default as in any search. */
  readonly toolRounds?: number;
  /** The fields of the list that is asked for, which a model may be held to that uses no tools for it. */
  readonly list?: ListFields;
  /** Where a model that works by itself does so. */
  readonly workplace?: Workplace;
  /** The tools of this question instead of the search's, for any model that can use some. */
  readonly tools?: QuestionTools;
}

/** Tools for one question only. */
export interface QuestionTools {
  readonly toolbox: Toolbox;
  /** The number of times that a model without tools of its own may ask for some first; by default as in any search. */
  readonly rounds?: number;
  /** The largest sum of what all rounds return, in characters; by default only each result is bounded. */
  readonly most?: number;
}

/** Those whose rounds a prompt tells. */
export type CountedTools = QuestionTools & { readonly rounds: number };

/** Where an answer is kept: appended to a conversation, and flushed, before anything is made from it. */
export interface Keep {
  /** The conversation as it is on disk. */
  readonly conversation: Conversation;
  /** The wanted answer, counted from 0 among similar ones; an existing one is not asked for again. */
  readonly nth?: number;
  /** Which answers of the same purpose are similar, by their turns and places; by default all of them. */
  readonly isLike?: (answer: ConversationTurn, at: number) => boolean;
  /** The marks that are recorded with the answer. */
  readonly marks?: AnswerMarks;
}

/** A question to a model. */
export interface Question<T> {
  readonly purpose: Purpose;
  /** Which of several models answers, by its name. */
  readonly by?: string | undefined;
  /** The node it is for; undefined for the search as a whole. */
  readonly node?: TreeNode | undefined;
  /** The slug paths of the nodes it is about, if not that one. */
  readonly about?: readonly string[];
  /** @param before the conversation without an unanswered question; empty if none keeps the answer */
  readonly words: (before: Conversation) => Promise<Prompt> | Prompt;
  /** Throws ThoughtTreeError `bad-answer` with words for the model. */
  readonly check: (text: string) => T;
  /** The conversation that keeps the answer; without one, the call is recorded separately. */
  readonly keep?: Keep;
}

/** A question whose answer is kept in a conversation. */
export interface KeptQuestion<T> extends Question<T> {
  readonly keep: Keep;
}

export interface Answer<T> {
  readonly value: T;
  readonly text: string;
  /** Why an empty list is empty, if the model knows. */
  readonly leafReason: LeafReason | undefined;
}

export interface KeptAnswer<T> extends Answer<T> {
  /** Including the answer; already on disk. */
  readonly conversation: Conversation;
}

/** The fields of the entries of a list. */
type ListFields = Readonly<Record<string, 'string' | 'number'>>;

const AS_JSON = `Give it as one JSON object, without tags around it: "thinking", where you weigh in a few sentences what belongs in the list, and "list", the entries in the form above, each with all of its fields.`;

/** Asks for a list by a schema besides: its server lets the model write nothing else. */
export function askedBySchema(request: ModelRequest, fields: ListFields): ModelRequest {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }]));
  const list = { type: 'array', items: objectOf(properties) };
  // Before the list, so that a model may think before it decides.
  const schema = objectOf({ thinking: { type: 'string' }, list });
  return { ...request, prompt: `${request.prompt}\n\n${AS_JSON}`, schema };
}

function objectOf(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

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

/** Returns the conversations whose turns a request with these words sends; undefined if it sends others. */
export function afterOf({ after, turns = [] }: Prompt): readonly Conversation[] | undefined {
  return turns.length === 0 ? (after ?? []) : after;
}

/** Returns where the words of the next call will be kept, if its answer is usable. */
export function keptBy<T>({ before, after, rounds, request }: Asking<T>): KeptTranscript | undefined {
  if (!after) return undefined;
  const prompt = before.turns.length + rounds.length;
  const own = request.turns.length > 0 ? [{ conversation: before.id, turns: prompt }] : [];
  const above = after.map(({ id, turns }) => ({ conversation: id, turns: turns.length }));
  const sent = [...above, ...own].filter(({ turns }) => turns > 0);
  return { conversation: before.id, turn: prompt + 1, ...(sent.length > 0 ? { after: sent } : {}) };
}

/** An answer, and the result of its check. */
interface Checked<T> {
  readonly value: T;
  readonly answer: { readonly text: string; readonly leafReason?: LeafReason | undefined };
}

/** Returns the answer that a conversation already contains. */
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

/** Says why an answer could not be used in the end, in words for people: those of the error are for the model. */
export function forPeople(
  error: ThoughtTreeError,
  answer: ModelAnswer,
  { name: model }: Model,
  { maxOutputTokens: most }: ModelRequest,
): ThoughtTreeError {
  const { finish, text, usage: { completion: tokens } = { completion: most } } = answer;
  const said = oneLine(text, LONGEST_QUOTED);
  const isCut = finish === 'length' && !isWhole(text);
  if (!isCut && said === '') return error;
  const cut = isHopeless(answer) ? say.noRoomForAnswer({ model, tokens }) : say.answersCut({ model, tokens });
  const what = isCut ? cut : say.answerUnusable({ model, why: error.say, said });
  return new ThoughtTreeError(error.reason, what, error.details);
}

interface AnswerKeeperParts {
  readonly store: Pick<Store, 'writeCall' | 'writeConversation'>;
  readonly history: Pick<History, 'flush'>;
}

/** The conversation of a question that keeps none. */
export const NOWHERE: Conversation = { id: '', turns: [] };

/** Keeps what was paid for, before anything uses it: answers and uses of tools in conversations, any other call by itself. */
export class AnswerKeeper {
  readonly #parts: AnswerKeeperParts;

  constructor(parts: AnswerKeeperParts) {
    this.#parts = parts;
  }

  /** Keeps an answer in the question's conversation; returns that. */
  async answer<T>({ question, before, asked, rounds }: Asking<T>, { call, answer }: Given<T>): Promise<Conversation> {
    const { keep, purpose } = question;
    if (!keep) return NOWHERE;
    const { text, leafReason, session } = answer;
    const marks = { ...keep.marks, by: question.by, leafReason, session, call };
    const conversation = withExchange(before, purpose, asked, text, marks, rounds);
    await this.#write(conversation);
    return conversation;
  }

  /** Keeps the uses of tools on the way to an answer. */
  async rounds<T>({ question, before, asked, rounds }: Asking<T>): Promise<void> {
    if (question.keep) await this.#write(withRounds(before, question.purpose, asked, rounds));
  }

  /** Keeps the words of a call that are in no conversation. */
  async call(id: string, request: ModelRequest, answer: string, session?: string): Promise<void> {
    const { system, turns, prompt, toolResults } = request;
    await this.#parts.store.writeCall({
      id,
      system,
      turns: turns.map((turn) => ({ role: turn.role, text: wordsOf(turn) })),
      prompt: wordsOf({ text: prompt, toolResults }),
      answer,
      ...(session === undefined ? {} : { session }),
    });
  }

  /** Writes a turn that was paid for. It counts once it is on the disk itself, together with what it cost. */
  async #write(conversation: Conversation): Promise<void> {
    const { store, history } = this.#parts;
    await Promise.all([store.writeConversation(conversation), history.flush()]);
  }
}
