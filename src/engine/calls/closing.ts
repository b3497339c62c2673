/** Stops the call of the report that is being written; each report has its own signal. */
export class Closing {
  #current = new AbortController();

  /** True if the report that is being written is about a search that is not finished, which the report says. */
  isInterim = false;
  /** True if a search that is paused leaves a report behind. */
  reportsOnPause = false;
  /** True if no call is made for it. */
  isSilent = false;

  /** Writes an interim report, as soon as there is something to say; nothing for a search that writes none. */
  writeInterim: () => Promise<unknown> = async () => undefined;

  get signal(): AbortSignal {
    return this.#current.signal;
  }

  /** Stops it; the report is then written without the call. */
  stop(): void {
    this.#current.abort();
  }

  /** Stopping one report does not stop later ones. */
  renew(): void {
    this.#current = new AbortController();
  }
}
