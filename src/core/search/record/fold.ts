import type { JournalEvent } from '../events.ts';

/** Something worked out from a journal, event by event, in order. */
export interface Fold {
  /** Takes one event into account; what says nothing to it is passed over, types that are not known here included. */
  apply(event: JournalEvent): void;
}
