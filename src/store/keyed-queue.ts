/** Carries out what concerns the same key one after the other, and what concerns different keys at once. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Begins an operation once those on the same key that were given before are done, whether they failed or not. */
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
