import type { JournalEvent } from '../events.ts';
import type { Fold } from './fold.ts';

/** A call that has begun and not ended, according to the journal. */
export interface CallUnderWay {
  readonly call: string;
  readonly purpose: string;
  /** Slug path, empty for requests about the search as a whole. */
  readonly node: string;
  readonly model: string;
  /** From 1, over the retries and corrections of one question. */
  readonly attempt: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

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

  get size(): number {
    return this.#calls.size;
  }

  get all(): IterableIterator<CallUnderWay> {
    return this.#calls.values();
  }
}
