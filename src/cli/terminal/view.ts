import type { JournalEvent } from '../../core/search/events.ts';

/** What shows a running search to somebody. */
export interface View {
  /** Takes in one event; called for every one, in order. */
  event(event: JournalEvent): void;
  /** Says what the program itself has to say while it runs. */
  notice(text: string): void;
  /** Ends the view: it shows nothing more, and leaves room for what is said at the end. */
  end(): void;
}
