import type { Store } from '../../core/ports/store.ts';
import type { Closing } from '../calls/closing.ts';
import { type InterimWritten, writeInterim } from './interim.ts';

export interface ReportWritingParts {
  readonly closing: Closing;
  readonly store: Store;
  /** Checks what earlier runs quoted against the files as they are now. */
  readonly recheck: () => Promise<void>;
  /** Writes a report on the tree as it is; an interim one if `closing` says so. */
  readonly write: () => Promise<void>;
}

/** When reports are written: one at a time, and one that is requested while it is being written, once. */
export class ReportWriting {
  readonly #parts: ReportWritingParts;
  #full: Promise<void> | undefined;
  #interim: Promise<InterimWritten> | undefined;

  constructor(parts: ReportWritingParts) {
    this.#parts = parts;
  }

  /**
   * Of what there is, with the one call that a report may make.
   * @throws ThoughtTreeError if it cannot be written
   */
  write(): Promise<void> {
    const { closing, recheck, write } = this.#parts;
    this.#full ??= Promise.resolve(this.#interim)
      .catch(() => undefined)
      .then(recheck)
      .then(write)
      .finally(() => {
        closing.renew();
        this.#full = undefined;
      });
    return this.#full;
  }

  /**
   * Writes a report of what there is so far. It takes the place of no better one: of one that is being written, that a model
   * was asked for earlier, or that a person changed.
   * @param asks whether the one call that a report may make is made for it
   */
  async writeInterim(asks = false): Promise<InterimWritten> {
    if (this.#full) {
      await this.#full;
      return 'better';
    }
    const { closing, store, write } = this.#parts;
    this.#interim ??= writeInterim(store, async () => {
      closing.isInterim = true;
      closing.isSilent = !asks;
      await write();
    }).finally(() => {
      closing.isInterim = false;
      closing.isSilent = false;
      this.#interim = undefined;
    });
    return await this.#interim;
  }
}
