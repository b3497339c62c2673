interface Flush {
  /** Under way. */
  readonly now: Promise<void>;
  /** Begins once that is done, for what was written since it began. */
  next?: Promise<void>;
}

/**
 * Flushes by path, in groups: whoever asks while a flush of the same path is under way waits for the next one, together
 * with all others who do. So the number of flushes depends on how long one takes, not on how many ask.
 */
export class GroupedFlushes {
  readonly #flush: (path: string) => Promise<void>;
  readonly #underWay = new Map<string, Flush>();

  /** @param flush brings everything written at a path so far to the disk itself */
  constructor(flush: (path: string) => Promise<void>) {
    this.#flush = flush;
  }

  /** Resolves when everything written at a path before the call is on the disk itself. */
  flush(path: string): Promise<void> {
    const running = this.#underWay.get(path);
    if (!running) return this.#begin(path);
    running.next ??= running.now.then(
      () => this.#begin(path),
      () => this.#begin(path),
    );
    return running.next;
  }

  #begin(path: string): Promise<void> {
    const now = this.#flush(path);
    const mine: Flush = { now };
    this.#underWay.set(path, mine);
    const end = (): void => {
      if (this.#underWay.get(path) === mine && !mine.next) this.#underWay.delete(path);
    };
    now.then(end, end);
    return now;
  }
}
