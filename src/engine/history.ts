import { Ledger } from '../core/money/ledger.ts';
import type { Clock } from '../core/ports/ports.ts';
import type { Store } from '../core/ports/store.ts';
import type { JournalEvent, SearchEvent } from '../core/search/events.ts';

export type Listener = (event: JournalEvent) => void;

/** What happens to a search: numbered, added up, told to whoever listens, and written to the journal, in that order. */
export class History {
  readonly ledger = new Ledger();
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #onStoreFailure: (error: unknown) => void;
  readonly #listeners = new Set<Listener>();
  #seq = 0;

  constructor(store: Store, clock: Clock, onStoreFailure: (error: unknown) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#onStoreFailure = onStoreFailure;
  }

  /** Takes in what earlier runs wrote. */
  replay(journal: readonly JournalEvent[]): void {
    for (const event of journal) {
      this.ledger.apply(event);
      this.#seq = Math.max(this.#seq, event.seq);
    }
  }

  /** Adds a listener; returns what takes it away again. A listener that throws is not heard, and harms nobody. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Records an event; resolves when the journal has it. */
  async record(event: SearchEvent): Promise<void> {
    const entry = { seq: ++this.#seq, time: new Date(this.#clock.now()).toISOString(), ...event } as JournalEvent;
    this.ledger.apply(entry);
    for (const listener of this.#listeners) tell(listener, entry);
    await this.#store.append(entry);
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
