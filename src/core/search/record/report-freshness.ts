import * as z from 'zod';
import { FOUND, type JournalEvent } from '../events.ts';
import type { Fold } from './fold.ts';

/** The events that change a tree, and so what a report on it says. */
const CHANGES = new Set<JournalEvent['type']>([
  'node-added',
  'node-status',
  'node-removed',
  'node-moved',
  'node-order',
  'reconciled',
]);

const FreshnessState = z.object({ isFresh: z.boolean(), since: z.number(), isCurrent: z.boolean().optional() });

/** Knows whether anything happened since the search last finished, so that no report is paid for twice. */
export class ReportFreshness implements Fold {
  #isFresh = false;
  #since = 0;
  #isCurrent = false;

  apply(event: JournalEvent): void {
    if (event.type === 'search-finished' || event.type === 'steered') this.#since = event.seq;
    const isReport = event.type === 'steered' && event.action === 'report';
    const isChange = CHANGES.has(event.type) && !('by' in event && event.by === FOUND.onOpening);
    if (event.type === 'search-finished') this.#isFresh = true;
    else if (isChange || event.type === 'steered') this.#isFresh = false;
    if (event.type === 'search-finished' || isReport) this.#isCurrent = true;
    else if (isChange) this.#isCurrent = false;
  }

  get state(): z.infer<typeof FreshnessState> {
    return { isFresh: this.#isFresh, since: this.#since, isCurrent: this.#isCurrent };
  }

  restore(state: unknown): void {
    const { isFresh, since, isCurrent = isFresh } = FreshnessState.parse(state);
    this.#isCurrent = isCurrent;
    this.#isFresh = isFresh;
    this.#since = since;
  }

  get isFresh(): boolean {
    return this.#isFresh;
  }

  /** True if the last report, written at an end or when a person asked for it, covers the tree as it is. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** The number of the event since which there is no report: what its model said before belongs to an earlier one. */
  get since(): number {
    return this.#since;
  }
}
