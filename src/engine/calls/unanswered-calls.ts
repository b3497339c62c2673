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
  /** The same calls by their questions: there may be as many as slots, and each call asks for its own. */
  readonly #byQuestion = new Map<string, Set<string>>();

  apply(event: JournalEvent): void {
    if (event.type === 'call-started') this.#begin(event);
    else if (event.type === 'call-ended') this.#delete(event.call);
    // What came from somebody else is nobody's call here.
    else if (event.type === 'adopted') this.#clear();
    else if (event.type === 'lease-taken')
      for (const [call, made] of this.#calls) this.#calls.set(call, { ...made, isOver: true });
  }

  get state(): z.infer<typeof UnansweredState> {
    return [...this.#calls.values()];
  }

  restore(state: unknown): void {
    this.#clear();
    for (const made of UnansweredState.parse(state)) this.#add(made);
  }

  /** Those that sent a question in just these words. */
  of(question: string, sent: string): readonly string[] {
    const calls = [...(this.#byQuestion.get(question) ?? [])];
    return calls.filter((call) => {
      const made = this.#calls.get(call);
      return made?.isOver && made.sent === sent;
    });
  }

  #begin({ call, question, sent }: Extract<JournalEvent, { type: 'call-started' }>): void {
    if (question === undefined || sent === undefined) return;
    this.#add({ call, question, sent, isOver: false });
    const oldest = this.#calls.keys().next();
    if (this.#calls.size > REMEMBERED && !oldest.done) this.#delete(oldest.value);
  }

  #add(made: Unanswered): void {
    this.#calls.set(made.call, made);
    this.#byQuestion.set(made.question, (this.#byQuestion.get(made.question) ?? new Set<string>()).add(made.call));
  }

  #delete(call: string): void {
    const made = this.#calls.get(call);
    if (!made) return;
    this.#calls.delete(call);
    const same = this.#byQuestion.get(made.question);
    same?.delete(call);
    if (same?.size === 0) this.#byQuestion.delete(made.question);
  }

  #clear(): void {
    this.#calls.clear();
    this.#byQuestion.clear();
  }
}
