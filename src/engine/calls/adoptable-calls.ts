import * as z from 'zod';
import type { MadeCall } from '../../core/ports/model.ts';
import { type JournalEvent, Making } from '../../core/search/events.ts';
import type { KeptFold } from '../../core/search/record/fold.ts';

/** Calls that are remembered: more than any search has under way at once. */
const REMEMBERED = 4096;
/** Of those, answered ones: more than are answered in the time that a process needs to write an answer's words. */
const ANSWERED = 256;
const Adoptable = z.object({
  call: z.string(),
  question: z.string(),
  sent: z.string(),
  isOver: z.boolean(),
  making: Making.optional(),
});
type Adoptable = z.infer<typeof Adoptable>;
const AdoptableState = z.array(Adoptable).max(REMEMBERED);

/**
 * The calls of earlier processes whose answers a later one may take, where calls outlive a process: those whose end that did
 * not live to see, and the last ones whose answers it was given. It may have been killed before their words were in a file,
 * and then their questions are asked again.
 */
export class AdoptableCalls implements KeptFold {
  readonly name = 'adoptable';
  readonly #calls = new Map<string, Adoptable>();
  /** The same calls by their questions: there may be as many as slots, and each call asks for its own. */
  readonly #byQuestion = new Map<string, Set<string>>();
  /** Those that were answered. */
  readonly #answered = new Set<string>();

  apply(event: JournalEvent): void {
    if (event.type === 'call-started') this.#begin(event);
    else if (event.type === 'call-ended') this.#end(event.call, event.making);
    // What came from somebody else is nobody's call here.
    else if (event.type === 'adopted') this.#clear();
    // A person who has something done again wants another answer.
    else if (event.type === 'steered') for (const call of [...this.#answered]) this.#delete(call);
    else if (event.type === 'lease-taken')
      for (const [call, made] of this.#calls) this.#calls.set(call, { ...made, isOver: true });
  }

  get state(): z.infer<typeof AdoptableState> {
    return [...this.#calls.values()];
  }

  restore(state: unknown): void {
    this.#clear();
    for (const made of AdoptableState.parse(state)) this.#add(made);
  }

  /** Those that sent a question in just these words; first the answered ones, whose answers nobody has to wait for. */
  of(question: string, sent: string): readonly MadeCall[] {
    const all = [...(this.#byQuestion.get(question) ?? [])].flatMap((call) => this.#calls.get(call) ?? []);
    const same = all.filter((made) => made.isOver && made.sent === sent);
    const calls = [...same.filter(({ making }) => making), ...same.filter(({ making }) => !making)];
    return calls.map(({ call, making }) => ({ call, ...(making && { making }) }));
  }

  #begin({ call, question, sent }: Extract<JournalEvent, { type: 'call-started' }>): void {
    if (question === undefined || sent === undefined) return;
    this.#add({ call, question, sent, isOver: false });
  }

  #end(call: string, making: Making | undefined): void {
    const made = this.#calls.get(call);
    if (!made) return;
    this.#delete(call);
    if (making) this.#add({ ...made, isOver: false, making });
  }

  #add(made: Adoptable): void {
    this.#calls.set(made.call, made);
    this.#byQuestion.set(made.question, (this.#byQuestion.get(made.question) ?? new Set<string>()).add(made.call));
    if (made.making) this.#answered.add(made.call);
    this.#deleteOldest(this.#calls.keys(), this.#calls.size - REMEMBERED);
    this.#deleteOldest(this.#answered.keys(), this.#answered.size - ANSWERED);
  }

  #deleteOldest(calls: Iterator<string>, tooMany: number): void {
    const oldest = tooMany > 0 ? calls.next() : undefined;
    if (oldest && !oldest.done) this.#delete(oldest.value);
  }

  #delete(call: string): void {
    const made = this.#calls.get(call);
    if (!made) return;
    this.#calls.delete(call);
    this.#answered.delete(call);
    const same = this.#byQuestion.get(made.question);
    same?.delete(call);
    if (same?.size === 0) this.#byQuestion.delete(made.question);
  }

  #clear(): void {
    this.#calls.clear();
    this.#byQuestion.clear();
    this.#answered.clear();
  }
}
