/** Stops the call of the report that is being written; each report has its own signal. */
export class Closing {
  #current = new AbortController();

  /** Whether the report that is being written is an interim one: no call is made for it. */
  isInterim = false;

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
