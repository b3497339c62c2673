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
