/** Runs tasks one after the other, in the order in which they came; one that fails holds up none of the later ones. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Starts a task once all earlier ones have settled; settles as the task does. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#last.then(task);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when all tasks so far have settled. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

/** Yields to other work in the same process during a long computation. */
export class Breather {
  readonly #longestMs: number;
  #since = performance.now();
  #break: Promise<void> | undefined;

  /** @param longestMs how long other work may be held up, in milliseconds */
  constructor(longestMs = 20) {
    this.#longestMs = longestMs;
  }

  /** Resolves at once if little time has passed since the last break; otherwise after a break that all callers share. */
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

/**
 * Work that never overlaps: those who request it while it runs share the next run, since the current one may be past what
 * they need it to see.
 */
export class Shared<T> {
  readonly #work: () => Promise<T>;
  #current: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  constructor(work: () => Promise<T>) {
    this.#work = work;
  }

  run(): Promise<T> {
    if (!this.#current) {
      this.#current = this.#work().finally(() => {
        this.#current = undefined;
      });
      return this.#current;
    }
    const again = () => {
      this.#next = undefined;
      return this.run();
    };
    this.#next ??= this.#current.then(again, again);
    return this.#next;
  }
}
