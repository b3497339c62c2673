import * as z from 'zod';
import { FOUND, type JournalEvent } from '../events.ts';
import type { Fold } from './fold.ts';

const CHANGES = new Set<JournalEvent['type']>([
  'node-added',
  'node-status',
  'node-removed',
  'node-moved',
  'node-order',
  'steered',
  'reconciled',
]);

const FreshnessState = z.object({ isFresh: z.boolean(), since: z.number() });

/** Knows whether anything happened since the search last finished, so that no report is paid for twice. */
export class ReportFreshness implements Fold {
  #isFresh = false;
  #since = 0;

  apply(event: JournalEvent): void {
    if (event.type === 'search-finished' || event.type === 'steered') this.#since = event.seq;
    if (event.type === 'search-finished') this.#isFresh = true;
    else if (CHANGES.has(event.type) && !('by' in event && event.by === FOUND.onOpening)) this.#isFresh = false;
  }

  get state(): z.infer<typeof FreshnessState> {
    return { isFresh: this.#isFresh, since: this.#since };
  }

  restore(state: unknown): void {
    const { isFresh, since } = FreshnessState.parse(state);
    this.#isFresh = isFresh;
    this.#since = since;
  }

  get isFresh(): boolean {
    return this.#isFresh;
  }

  /** The number of the event since which there is no report: what its model said before belongs to an earlier one. */
  get since(): number {
    return this.#since;
  }
}
