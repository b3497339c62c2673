import type { JournalEvent } from '../core/search/events.ts';

const CHANGES = new Set<JournalEvent['type']>(['node-added', 'node-status', 'steered', 'reconciled']);

/** Knows whether anything happened since the search finished last, so that no report is paid for twice. */
export class ReportFreshness {
  #isFresh = false;

  /** Takes in one event, in order. */
  apply({ type }: Pick<JournalEvent, 'type'>): void {
    if (type === 'search-finished') this.#isFresh = true;
    else if (CHANGES.has(type)) this.#isFresh = false;
  }

  get isFresh(): boolean {
    return this.#isFresh;
  }
}
