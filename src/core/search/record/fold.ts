import type { JournalEvent } from '../events.ts';

/** Something computed from a journal, event by event, in order. */
export interface Fold {
  /** Takes one event into account; ignores irrelevant ones, including unknown types. */
  apply(event: JournalEvent): void;
}
