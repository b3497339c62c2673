/** Runs operations on the same key one after the other, and those on different keys concurrently. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Starts an operation once the earlier ones on the same key have settled. */
  async run<T>(key: string, operation: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = before ? before.then(operation, operation) : operation();
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values());
  }
}
