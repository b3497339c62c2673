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
