/** The right to write a search: the lease, or something that stands for it where there is one process only. */
export interface WriteRight {
  /** Who holds it, where it is a lease. */
  readonly holder?: { readonly epoch: number; readonly pid: number; readonly host: string };
  /**
   * Synchronous, so that it can be the last thing before a change.
   * @throws ThoughtTreeError `lease-lost` where the right is gone
   */
  check(): void;
  /** Gives the right back. */
  release(): Promise<void>;
}
