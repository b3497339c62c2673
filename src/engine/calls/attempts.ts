import type { JournalEvent } from '../../core/search/events.ts';
import type { Fold } from '../../core/search/record/fold.ts';

/** Questions that are remembered: those that a process left open are among the last. */
const REMEMBERED = 10_000;

/** How often each of the latest questions was sent, in this process or an earlier one. */
export class Attempts implements Fold {
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

  of(question: string): number {
    return this.#made.get(question) ?? 0;
  }
}
