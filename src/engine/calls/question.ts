import type { Turn } from '../../core/ports/model.ts';
import type { PromptData } from '../../core/ports/prompt-data.ts';
import type { Purpose } from '../../core/ports/purpose.ts';
import type { AnswerMarks, AskedTurn, Conversation, ConversationTurn } from '../../core/search/conversation.ts';
import type { LeafReason } from '../../core/tree/node-status.ts';
import type { TreeNode } from '../../core/tree/tree.ts';

/** What is asked, and how the answer is sent before and after its prompt. Made only where no answer is kept. */
export interface Words {
  readonly prompt: string;
  /** What is noted with the prompt where it is kept. */
  readonly noted?: Omit<AskedTurn, 'text'>;
  /** The same as typed data, for models that read no prose. */
  readonly data: PromptData;
  /** The longest answer asked for, in tokens. */
  readonly maxOutputTokens: number;
  /** What is said before it; nothing by default. */
  readonly turns?: readonly Turn[];
  /** How many of the turns come from the nodes above. */
  readonly shared?: number;
  /**
   * The conversations whose turns these are, as they are on disk, before those of the conversation that keeps the answer;
   * undefined where the turns are others, so that the call is recorded by itself.
   */
  readonly after?: readonly Conversation[];
  /** Whether a model with tools may use those of the search. */
  readonly mayUseTools?: boolean;
}

/** Where an answer is kept: appended to a conversation, and flushed, before anything is made of it. */
export interface Keep {
  /** The conversation as it is on disk. */
  readonly conversation: Conversation;
  /** The answer wanted, counted from 0 among those that are like it; one that is there already is not asked for again. */
  readonly nth?: number;
  /** Which answers of the same purpose are like it, by their turns and places; all of them by default. */
  readonly isLike?: (answer: ConversationTurn, at: number) => boolean;
  /** What is noted with the answer. */
  readonly marks?: AnswerMarks;
}

/** An answer that can be used is asked for again, and the better of the two is taken. */
export interface Better<T> {
  /** What is wrong with the first answer, in words for the model. */
  readonly wrong: string;
  readonly isBetter: (second: T) => Promise<boolean>;
}

/** A question to a model. */
export interface Question<T> {
  readonly purpose: Purpose;
  /** The node it is for; undefined for the search as a whole. */
  readonly node?: TreeNode | undefined;
  /** The slug paths of the nodes it is about, where it is not about that one. */
  readonly about?: readonly string[];
  /** @param before the conversation without a question that has no answer yet; empty where none keeps the answer */
  readonly words: (before: Conversation) => Promise<Words> | Words;
  /** Throws ThoughtTreeError `bad-answer` with words for the model. */
  readonly check: (text: string) => T;
  /** The conversation that keeps the answer; without one, the call is recorded by itself. */
  readonly keep?: Keep;
  /** Whether a better answer may be had; undefined where the first one is good. */
  readonly better?: ((first: T) => Promise<Better<T> | undefined>) | undefined;
}

/** A question whose answer is kept in a conversation. */
export interface KeptQuestion<T> extends Question<T> {
  readonly keep: Keep;
}

export interface Answer<T> {
  readonly value: T;
  readonly text: string;
  /** Why an empty list is empty, where the model knows. */
  readonly leafReason: LeafReason | undefined;
}

export interface KeptAnswer<T> extends Answer<T> {
  /** With the answer in it; already on disk. */
  readonly conversation: Conversation;
}
