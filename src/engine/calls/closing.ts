/** Stops the call of the report that is being written; each report has its own. */
export class Closing {
  #current = new AbortController();

  get signal(): AbortSignal {
    return this.#current.signal;
  }

  /** Stops it; the report is then written without the call. */
  stop(): void {
    this.#current.abort();
  }

  /** What stopped one report stops none that is asked for later. */
  renew(): void {
    this.#current = new AbortController();
  }
}
