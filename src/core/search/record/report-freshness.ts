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

/** Knows whether anything happened since the search last finished, so that no report is paid for twice. */
export class ReportFreshness implements Fold {
  #isFresh = false;

  apply(event: JournalEvent): void {
    if (event.type === 'search-finished') this.#isFresh = true;
    else if (CHANGES.has(event.type) && !('by' in event && event.by === FOUND.onOpening)) this.#isFresh = false;
  }

  get state(): boolean {
    return this.#isFresh;
  }

  restore(state: unknown): void {
    this.#isFresh = z.boolean().parse(state);
  }

  get isFresh(): boolean {
    return this.#isFresh;
  }
}
