import type { ModelRequest } from '../../core/ports/model.ts';
import type { Store } from '../../core/ports/store.ts';
import { wordsOf } from '../../core/ports/tool-turns.ts';
import { type Conversation, withExchange, withRounds } from '../../core/search/conversation.ts';
import type { History } from '../history.ts';
import type { Asking, Given } from './asking.ts';

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
    const marks = { ...keep.marks, leafReason, session, call };
    const conversation = withExchange(before, purpose, asked, text, marks, rounds);
    await this.#write(conversation);
    return conversation;
  }

  /** Keeps the uses of tools on the way to an answer. */
  async rounds<T>({ question, before, asked, rounds }: Asking<T>): Promise<void> {
    if (question.keep) await this.#write(withRounds(before, question.purpose, asked, rounds));
  }

  /** Keeps the words of a call that are in no conversation. */
  async call(id: string, request: ModelRequest, answer: string): Promise<void> {
    const { system, turns, prompt, toolResults } = request;
    await this.#parts.store.writeCall({
      id,
      system,
      turns: turns.map((turn) => ({ role: turn.role, text: wordsOf(turn) })),
      prompt: wordsOf({ text: prompt, toolResults }),
      answer,
    });
  }

  /** Writes a turn that was paid for. It counts once it is on the disk itself, together with what it cost. */
  async #write(conversation: Conversation): Promise<void> {
    const { store, history } = this.#parts;
    await Promise.all([store.writeConversation(conversation), history.flush()]);
  }
}
