import type { JournalEvent } from '../../core/search/events.ts';

/** Shows a running search. */
export interface View {
  /** Handles one event; called for every one, in order. */
  event(event: JournalEvent): void;
  /** Shows a message of the program itself while it runs. */
  notice(text: string): void;
  /** Ends the view: it shows nothing more, and leaves room for the closing message. */
  end(): void;
}
