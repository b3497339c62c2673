import * as z from 'zod';
import type { JournalEvent } from '../events.ts';
import type { Fold } from './fold.ts';

const CallUnderWay = z.object({
  call: z.string(),
  purpose: z.string(),
  /** Slug path, empty for requests about the search as a whole. */
  node: z.string(),
  model: z.string(),
  /** From 1, over the retries and corrections of one question. */
  attempt: z.number(),
  /** Milliseconds since 1970. */
  since: z.number(),
});

/** A call that has begun and not ended, according to the journal. */
export type CallUnderWay = Readonly<z.infer<typeof CallUnderWay>>;

/** The calls under way, oldest first. Those of a killed run are dropped when the next one begins. */
export class CallsUnderWay implements Fold {
  readonly #calls = new Map<string, CallUnderWay>();

  apply(event: JournalEvent): void {
    if (event.type === 'search-started' || event.type === 'search-resumed') this.giveUp();
    else if (event.type === 'call-started') {
      const { call, purpose, node, model, attempt, time } = event;
      this.#calls.set(call, { call, purpose, node, model, attempt, since: Date.parse(time) || 0 });
    } else if (event.type === 'call-ended') this.#calls.delete(event.call);
  }

  /** Those of a process that is gone never end. */
  giveUp(): void {
    this.#calls.clear();
  }

  get state(): CallUnderWay[] {
    return [...this.#calls.values()];
  }

  restore(state: unknown): void {
    for (const call of z.array(CallUnderWay).parse(state)) this.#calls.set(call.call, call);
  }

  get size(): number {
    return this.#calls.size;
  }

  get all(): IterableIterator<CallUnderWay> {
    return this.#calls.values();
  }
}
