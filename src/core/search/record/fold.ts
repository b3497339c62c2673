import type { JournalEvent } from '../events.ts';

/** Something computed from a journal, event by event, in order. */
export interface Fold {
  /** Takes one event into account; ignores irrelevant ones, including unknown types. */
  apply(event: JournalEvent): void;
}

/** A fold that can be kept and taken up again, so that a long journal need not be read from its beginning. */
export interface KeptFold extends Fold {
  /** Distinguishes it from others. */
  readonly name: string;
  /** All that it knows, as data for JSON. */
  readonly state: unknown;
  /**
   * Makes a new one know what another did.
   * @throws ZodError if that is no state of it
   */
  restore(state: unknown): void;
}

/** The class of a fold that is added to a record as a part of it. */
export interface PartClass<T extends KeptFold> {
  new (): T;
  /** The name of each of its instances. */
  readonly part: T['name'];
}
