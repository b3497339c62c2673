import * as z from 'zod';
import type { JournalEvent } from '../../core/search/events.ts';
import type { KeptFold } from '../../core/search/record/fold.ts';

/** Questions that are remembered: those that a process left open are among the last. */
const REMEMBERED = 1000;
const AttemptsState = z.array(z.tuple([z.string(), z.number()])).max(REMEMBERED);

/** How often each of the latest questions was sent, in this process or an earlier one. */
export class Attempts implements KeptFold {
  readonly name = 'attempts';
  /** In the order in which they were last sent. */
  readonly #made = new Map<string, number>();

  apply(event: JournalEvent): void {
    if (event.type !== 'call-started' || event.question === undefined) return;
    const made = this.of(event.question);
    this.#made.delete(event.question);
    this.#made.set(event.question, made + 1);
    const oldest = this.#made.keys().next();
    if (this.#made.size > REMEMBERED && !oldest.done) this.#made.delete(oldest.value);
  }

  get state(): z.infer<typeof AttemptsState> {
    return [...this.#made];
  }

  restore(state: unknown): void {
    this.#made.clear();
    for (const [question, made] of AttemptsState.parse(state)) this.#made.set(question, made);
  }

  of(question: string): number {
    return this.#made.get(question) ?? 0;
  }
}
