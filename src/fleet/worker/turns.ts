/** Work of one kind, one after the other; while it is slow, nothing piles up. */
export class Turns {
  readonly #failed: () => void;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** @param failed told of work that failed */
  constructor(failed: () => void) {
    this.#failed = failed;
  }

  do(work: () => Promise<void>): void {
    if (this.#waiting >= 2) return;
    this.#waiting++;
    this.#last = this.#last.then(async () => {
      await work().catch(this.#failed);
      this.#waiting--;
    });
  }

  /** Resolves once all of it is done. */
  get over(): Promise<void> {
    return this.#last;
  }
}
