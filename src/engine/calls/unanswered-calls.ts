import * as z from 'zod';
import type { JournalEvent } from '../../core/search/events.ts';
import type { KeptFold } from '../../core/search/record/fold.ts';

/** Calls that are remembered: more than any search has under way at once. */
const REMEMBERED = 4096;
const Unanswered = z.object({ call: z.string(), question: z.string(), sent: z.string(), isOver: z.boolean() });
type Unanswered = z.infer<typeof Unanswered>;
const UnansweredState = z.array(Unanswered).max(REMEMBERED);

/** The calls of earlier processes whose end they did not live to see: where calls outlive a process, an answer may still come. */
export class UnansweredCalls implements KeptFold {
  readonly name = 'unanswered';
  readonly #calls = new Map<string, Unanswered>();

  apply(event: JournalEvent): void {
    if (event.type === 'call-started') this.#begin(event);
    else if (event.type === 'call-ended') this.#calls.delete(event.call);
    // What came from somebody else is nobody's call here.
    else if (event.type === 'adopted') this.#calls.clear();
    else if (event.type === 'lease-taken')
      for (const [call, made] of this.#calls) this.#calls.set(call, { ...made, isOver: true });
  }

  get state(): z.infer<typeof UnansweredState> {
    return [...this.#calls.values()];
  }

  restore(state: unknown): void {
    this.#calls.clear();
    for (const made of UnansweredState.parse(state)) this.#calls.set(made.call, made);
  }

  /** Those that sent a question in just these words. */
  of(question: string, sent: string): readonly string[] {
    const found = [...this.#calls.values()].filter(
      (made) => made.isOver && made.question === question && made.sent === sent,
    );
    return found.map(({ call }) => call);
  }

  #begin({ call, question, sent }: Extract<JournalEvent, { type: 'call-started' }>): void {
    if (question === undefined || sent === undefined) return;
    this.#calls.set(call, { call, question, sent, isOver: false });
    const oldest = this.#calls.keys().next();
    if (this.#calls.size > REMEMBERED && !oldest.done) this.#calls.delete(oldest.value);
  }
}
