/** Lets whatever else waits in the same process have its turn while much is done without a pause. */
export class Breather {
  readonly #longestMs: number;
  #since = performance.now();
  #break: Promise<void> | undefined;

  /** @param longestMs how long work may hold everything else up, in milliseconds */
  constructor(longestMs = 20) {
    this.#longestMs = longestMs;
  }

  /** Resolves at once while little time has passed since the last break; otherwise after one that all who ask share. */
  breathe(): Promise<void> | undefined {
    if (this.#break || performance.now() - this.#since < this.#longestMs) return this.#break;
    this.#break = new Promise((resolve) =>
      setImmediate(() => {
        this.#since = performance.now();
        this.#break = undefined;
        resolve();
      }),
    );
    return this.#break;
  }
}
