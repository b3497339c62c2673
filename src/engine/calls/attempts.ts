import * as z from 'zod';
import type { JournalEvent } from '../../core/search/events.ts';
import type { KeptFold } from '../../core/search/record/fold.ts';

/** Questions that are remembered besides those under way: the ones that are asked again were answered last. */
const REMEMBERED = 1000;
/** `true` for a question that is under way. */
const AttemptsState = z.array(z.tuple([z.string(), z.number(), z.literal(true).optional()])).max(100_000);

/** Counts how often each of the latest questions was sent, in this process or an earlier one. */
export class Attempts implements KeptFold {
  static readonly part = 'attempts';
  readonly name = Attempts.part;
  /** Those under way: with many slots, more than are remembered. */
  readonly #underWay = new Map<string, number>();
  /** The others, in the order in which their last calls ended. */
  readonly #made = new Map<string, number>();

  apply(event: JournalEvent): void {
    if (event.type === 'call-started') this.#begin(event.question);
    else if (event.type === 'call-ended') this.#end(event.question);
  }

  get state(): z.infer<typeof AttemptsState> {
    const underWay = [...this.#underWay].map(([question, made]): [string, number, true] => [question, made, true]);
    return [...this.#made, ...underWay];
  }

  restore(state: unknown): void {
    this.#underWay.clear();
    this.#made.clear();
    for (const [question, made, isUnderWay] of AttemptsState.parse(state))
      (isUnderWay ? this.#underWay : this.#made).set(question, made);
  }

  of(question: string): number {
    return this.#underWay.get(question) ?? this.#made.get(question) ?? 0;
  }

  #begin(question: string | undefined): void {
    if (question === undefined) return;
    const made = this.of(question);
    this.#made.delete(question);
    this.#underWay.set(question, made + 1);
  }

  #end(question: string | undefined): void {
    const made = question === undefined ? undefined : this.#underWay.get(question);
    if (question === undefined || made === undefined) return;
    this.#underWay.delete(question);
    this.#made.set(question, made);
    const [oldest] = this.#made.keys();
    if (this.#made.size > REMEMBERED && oldest !== undefined) this.#made.delete(oldest);
  }
}
