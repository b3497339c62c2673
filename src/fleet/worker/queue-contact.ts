/** Stands for the queue itself: work that need not ask it may still succeed, so only its rules, once read, end it. */
export const ANY = 'queue';

/** Keeps track of whether the queue does what it is asked to. */
export class QueueContact {
  readonly #onState: (state: 'away' | 'back') => void;
  /** The requests that failed the last time that they were made. */
  readonly #failing = new Set<string>();
  /** A worker that has just begun does not know whether the queue was away until then. */
  #backAt = performance.now();

  /** @param onState told once that something fails, and once that nothing of what was asked fails any more */
  constructor(onState: (state: 'away' | 'back') => void) {
    this.#onState = onState;
  }

  /** Tells whether the queue is away, or has been in the last so many milliseconds. */
  wasAwayWithin(ms: number): boolean {
    return this.#failing.has(ANY) || performance.now() - this.#backAt < ms;
  }

  /** Asks for something; false if that fails. */
  async ask(what: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.answered(what);
      return true;
    } catch {
      this.failed(what);
      return false;
    }
  }

  failed(what: string): void {
    if (this.#failing.size === 0) this.#onState('away');
    this.#failing.add(what);
  }

  /** It was done, or is not asked for any more. */
  answered(what: string): void {
    const wasFailing = this.#failing.delete(what);
    if (wasFailing && what === ANY) this.#backAt = performance.now();
    if (wasFailing && this.#failing.size === 0) this.#onState('back');
  }
}
