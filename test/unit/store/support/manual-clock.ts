import type { Clock } from '../../../../src/core/ports/ports.ts';

/** A clock that moves when a test says so. Begins at the real time, since files get their times from the system. */
export class ManualClock implements Clock {
  #now = Date.now();
  #sleepers: { at: number; wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#sleepers.push({ at: this.#now + ms, wake: resolve });
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Moves on without waking anybody, as for a process that is stopped. */
  pass(ms: number): void {
    this.#now += ms;
  }

  /** Moves on and wakes those whose time has come. */
  advance(ms: number): void {
    this.#now += ms;
    const due = this.#sleepers.filter(({ at }) => at <= this.#now);
    this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#now);
    for (const { wake } of due) wake();
  }
}
