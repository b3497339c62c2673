import * as z from 'zod';
import type { MadeCall } from '../../core/ports/model.ts';
import { type JournalEvent, Making } from '../../core/search/events.ts';
import type { KeptFold } from '../../core/search/record/fold.ts';
import { MOST_ANSWERED } from './answered-calls.ts';

/** Calls without an answer that are remembered: as many as a search may have under way at once. */
const MOST_OPEN = 4096;
const Adoptable = z.object({
  call: z.string(),
  question: z.string(),
  sent: z.string(),
  /** The model that was asked: the answer is priced as one of its answers. */
  model: z.string(),
  isOver: z.boolean(),
  making: Making.optional(),
});
type Adoptable = z.infer<typeof Adoptable>;
const AdoptableState = z.array(Adoptable).max(MOST_OPEN + MOST_ANSWERED);

/**
 * The calls of earlier processes whose answers a later one may take, where calls outlive a process: those whose end that did
 * not live to see, and the last ones whose answers it was given. It may have been killed before their words were in a file,
 * and then their questions are asked again.
 */
export class AdoptableCalls implements KeptFold {
  static readonly part = 'adoptable';
  readonly name = AdoptableCalls.part;
  readonly #open = new Map<string, Adoptable>();
  readonly #answered = new Map<string, Adoptable>();
  /** The calls above by their questions: there may be as many as slots, and each call asks for its own. */
  readonly #byQuestion = new Map<string, Set<string>>();

  apply(event: JournalEvent): void {
    if (event.type === 'call-started') this.#begin(event);
    else if (event.type === 'call-ended') this.#end(event);
    // Calls of an adopted search are nobody's calls here.
    else if (event.type === 'adopted') this.#clear();
    // A person who has something done again wants another answer.
    else if (event.type === 'steered') for (const call of [...this.#answered.keys()]) this.#delete(call);
    else if (event.type === 'lease-taken')
      for (const calls of [this.#open, this.#answered])
        for (const [call, made] of calls) calls.set(call, { ...made, isOver: true });
  }

  get state(): z.infer<typeof AdoptableState> {
    return [...this.#open.values(), ...this.#answered.values()];
  }

  restore(state: unknown): void {
    this.#clear();
    for (const made of AdoptableState.parse(state)) this.#add(made);
  }

  /** Those that sent a model a question in just these words; first the answered ones, whose answers nobody has to wait for. */
  of(question: string, sent: string, model: string): readonly MadeCall[] {
    const same = [...(this.#byQuestion.get(question) ?? [])];
    const all = [this.#answered, this.#open].flatMap((calls) => same.flatMap((call) => calls.get(call) ?? []));
    return all
      .filter((made) => made.isOver && made.sent === sent && made.model === model)
      .map(({ call, making }) => ({ call, ...(making && { making }) }));
  }

  #begin({ call, question, sent, model }: Extract<JournalEvent, { type: 'call-started' }>): void {
    if (question === undefined || sent === undefined) return;
    this.#add({ call, question, sent, model, isOver: false });
  }

  /** The words of a failed call are of no use to anybody. */
  #end({ call, making, message }: Extract<JournalEvent, { type: 'call-ended' }>): void {
    const made = this.#open.get(call) ?? this.#answered.get(call);
    if (!made) return;
    this.#delete(call);
    const isAnswered = making !== undefined && message === undefined;
    if (isAnswered) this.#add({ ...made, isOver: false, making });
  }

  #add(made: Adoptable): void {
    const [calls, most] = made.making ? [this.#answered, MOST_ANSWERED] : [this.#open, MOST_OPEN];
    calls.set(made.call, made);
    this.#byQuestion.set(made.question, (this.#byQuestion.get(made.question) ?? new Set<string>()).add(made.call));
    const oldest = calls.keys().next();
    if (calls.size > most && !oldest.done) this.#delete(oldest.value);
  }

  #delete(call: string): void {
    const made = this.#open.get(call) ?? this.#answered.get(call);
    if (!made) return;
    this.#open.delete(call);
    this.#answered.delete(call);
    const same = this.#byQuestion.get(made.question);
    same?.delete(call);
    if (same?.size === 0) this.#byQuestion.delete(made.question);
  }

  #clear(): void {
    this.#open.clear();
    this.#answered.clear();
    this.#byQuestion.clear();
  }
}
