import type { JournalEvent } from '../events.ts';
import type { Fold } from './fold.ts';

const CHANGES = new Set<JournalEvent['type']>(['node-added', 'node-status', 'steered', 'reconciled']);

/** Knows whether anything happened since the search finished last, so that no report is paid for twice. */
export class ReportFreshness implements Fold {
  #isFresh = false;

  apply({ type }: Pick<JournalEvent, 'type'>): void {
    if (type === 'search-finished') this.#isFresh = true;
    else if (CHANGES.has(type)) this.#isFresh = false;
  }

  get isFresh(): boolean {
    return this.#isFresh;
  }
}
