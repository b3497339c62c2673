/** The right to write a search: the lease, or a substitute if there is only one process. */
export interface WriteRight {
  /** Who holds it, if it is a lease. */
  readonly holder?: { readonly epoch: number; readonly pid: number; readonly host: string; readonly token: string };
  /**
   * Synchronous, so that it can come immediately before a change.
   * @throws ThoughtTreeError `lease-lost` if the right is gone
   */
  check(): void;
  /** Gives up the right. */
  release(): Promise<void>;
}
