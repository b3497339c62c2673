import type { Turn, Workplace } from '../../core/ports/model.ts';
import type { PromptData } from '../../core/ports/prompt-data.ts';
import type { Purpose } from '../../core/ports/purpose.ts';
import type { Toolbox } from '../../core/ports/tool.ts';
import type { AnswerMarks, AskedTurn, Conversation, ConversationTurn } from '../../core/search/conversation.ts';
import type { LeafReason } from '../../core/tree/node-status.ts';
import type { TreeNode } from '../../core/tree/tree.ts';
import type { ListFields } from './answer-list.ts';

/** The prompt, and the turns that are sent before it. Created only if no answer is kept. */
export interface Words {
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
  /** The node it is for; undefined for the search as a whole. */
  readonly node?: TreeNode | undefined;
  /** The slug paths of the nodes it is about, if not that one. */
  readonly about?: readonly string[];
  /** @param before the conversation without an unanswered question; empty if none keeps the answer */
  readonly words: (before: Conversation) => Promise<Words> | Words;
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
