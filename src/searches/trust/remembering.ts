import type { SpendFloor } from '../../core/money/ledger.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import { textHash } from '../../store/text-hash.ts';
import { type SearchUse, writeUse } from './search-use.ts';

/** The most milliseconds by which the remembered spend may be late: after a kill, the journal has the rest. */
const SPEND_AGE_MS = 1000;

/** Remembers what this user does with an open search: in their own state folder, beyond the reach of the search's folder. */
export class Remembering {
  readonly #id: string;
  readonly #spent: () => SpendFloor;
  #use: SearchUse;
  #written = Number.NEGATIVE_INFINITY;

  /**
   * @param use what is known of it so far
   * @param spent what it spent, calls under way left out
   */
  constructor(id: string, use: SearchUse, spent: () => SpendFloor) {
    this.#id = id;
    this.#use = use;
    this.#spent = spent;
  }

  /** Takes one event of the search into account. */
  apply(event: JournalEvent): void {
    if (event.type === 'search-started' || event.type === 'search-resumed') {
      const { model, judge, limits } = event;
      this.#use = { ...this.#use, model, judge, limits };
    } else if (event.type === 'budget-changed') this.#use = { ...this.#use, limits: event.limits };
    else if (event.type === 'system-text') this.#use = { ...this.#use, system: textHash(event.text) };
    else if (event.type === 'call-ended') {
      if (performance.now() - this.#written < SPEND_AGE_MS) return;
    } else if (!event.type.startsWith('search-')) return;
    this.write();
  }

  write(): void {
    this.#written = performance.now();
    writeUse(this.#id, { ...this.#use, spend: this.#spent() });
  }
}
