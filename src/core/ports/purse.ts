import type { Message } from '../messages/message.ts';
import type { JournalEvent, SearchEvent, WorstCase } from '../search/events.ts';

/** A call that is about to be made. */
export interface PurseCall {
  /** Unique to it: under the same id nothing is booked twice. */
  readonly call: string;
  readonly model: string;
  readonly purpose: string;
}

/** Why a call may not be made. */
export interface PurseRefusal {
  readonly why: Message;
  /** True if there may be room once calls that other living processes, or this one, have under way have ended. */
  readonly mayPass: boolean;
}

/** The limits of a person over everything that they run on this computer, beyond those of each search. */
export interface Purse {
  /**
   * Books a call at its worst case, or raises what is booked for it. Resolves once that counts for all processes.
   * @returns why not, if a limit is in the way: then nothing is booked
   * @throws ThoughtTreeError `not-writable` if it cannot be booked
   */
  book(call: PurseCall, worst: WorstCase): Promise<PurseRefusal | undefined>;
  /**
   * Resolves once the booking of a call survives a power cut, as far as there are limits: before that, it is not made.
   * @throws ThoughtTreeError `not-writable`, not charged, if it cannot be kept
   */
  kept(call: string): Promise<void>;
  /** Takes into account how a call ended, or what was used that nobody asked for. Never rejects: what is not told stays booked. */
  hear(event: SearchEvent | JournalEvent): Promise<void>;
  /** Resolves when all that was told is kept. */
  close(): Promise<void>;
}
