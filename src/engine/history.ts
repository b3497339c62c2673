import type { Ledger } from '../core/money/ledger.ts';
import type { Clock } from '../core/ports/ports.ts';
import type { Store } from '../core/ports/store.ts';
import type { JournalEvent, SearchEvent } from '../core/search/events.ts';
import { SearchRecord } from '../core/search/record/search-record.ts';

export type Listener = (event: JournalEvent) => void;

/** The events of a search: numbered, summed up, passed to listeners, and written to the journal, in that order. */
export class History {
  /** The record so far, including earlier runs. */
  readonly past: SearchRecord;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #onStoreFailure: (error: unknown) => void;
  readonly #listeners = new Set<Listener>();

  /** @param past the record of earlier runs; taken over, and kept up to date from here */
  constructor(store: Store, clock: Clock, onStoreFailure: (error: unknown) => void, past = new SearchRecord()) {
    this.#store = store;
    this.#clock = clock;
    this.#onStoreFailure = onStoreFailure;
    this.past = past;
  }

  get ledger(): Ledger {
    return this.past.ledger;
  }

  /** Adds a listener; returns a function that removes it. Errors of listeners are ignored. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Records an event; resolves when the journal has it.
   * @param flush whether it, and all before it, must be on the disk itself by then
   */
  async record(event: SearchEvent, flush = false): Promise<void> {
    const time = new Date(this.#clock.now()).toISOString();
    const entry = { seq: this.past.seq + 1, time, ...event } as JournalEvent;
    this.past.apply(entry);
    for (const listener of this.#listeners) tell(listener, entry);
    await this.#store.append(entry, flush);
  }

  /** Brings everything recorded so far to the disk itself. */
  async flush(): Promise<void> {
    await this.#store.flushJournal();
  }

  /** Records an event that nobody waits for; a journal that cannot be written stops the search. */
  note(event: SearchEvent): void {
    this.record(event).catch(this.#onStoreFailure);
  }
}

function tell(listener: Listener, event: JournalEvent): void {
  try {
    listener(event);
  } catch {
    // a view that fails to draw an event must not stop the search
  }
}
