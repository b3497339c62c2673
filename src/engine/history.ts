import * as z from 'zod';
import type { Ledger } from '../core/money/ledger.ts';
import type { Clock } from '../core/ports/ports.ts';
import type { Store } from '../core/ports/store.ts';
import type { JournalEvent, KeptFold, SearchEvent } from '../core/search/events.ts';
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
