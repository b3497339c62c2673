import type { LastEnd } from '../../core/ports/store.ts';

/** The right to write a search: the lease, or a substitute if there is only one process. */
export interface WriteRight {
  /** Who holds it, if it is a lease. */
  readonly holder?: { readonly epoch: number; readonly pid: number; readonly host: string; readonly token: string };
  /** The end of the holder before this one, until that was mended; `closed` by default. */
  readonly lastEnd?: LastEnd;
  /**
   * When the computer was started, in milliseconds since 1970, if the holder before ran on it, too: what changed since then
   * was not written by a holder that a loss of power ended.
   */
  readonly startedAt?: number | undefined;
  /** True if an earlier holder, of the same boot, may have written data that is not on the disk itself. */
  readonly leftUnflushed?: boolean;
  mended?(): void;
  /**
   * Synchronous, so that it can come immediately before a change.
   * @throws ThoughtTreeError `lease-lost` if the right is gone
   */
  check(): void;
  /**
   * Gives up the right.
   * @param isSettled whether everything written is on the disk itself
   */
  release(isSettled: boolean): Promise<void>;
}
