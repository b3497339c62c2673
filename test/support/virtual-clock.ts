import type { Clock } from '../../src/core/ports/ports.ts';

interface Sleeper {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
}

/**
 * A clock whose time passes only when nothing else is left to do, so that hours of waiting take no time and the same
 * things happen in the same order every time. For searches whose store is in memory: real I/O is not waited for.
 */
export class VirtualClock implements Clock {
  #now = Date.UTC(2026, 0, 1);
  #order = 0;
  #sleepers: Sleeper[] = [];
  #isStopped = false;

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper = { at: this.#now + Math.max(0, ms), order: this.#order++, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener(
        'abort',
        () => {
          this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
          resolve();
        },
        { once: true },
      );
    });
  }

  /** Time passes no more, as for a process that was killed: what waits, waits for ever. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Lets time pass until the work is done; throws where nothing could ever wake it. */
  async run<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const done = work.finally(() => {
      settled = true;
    });
    done.catch(() => undefined);
    while (!settled && !this.#isStopped) {
      await new Promise(setImmediate);
      if (!settled && !this.#isStopped && !this.#wakeNext()) await this.#lastChance(() => settled);
    }
    return done;
  }

  #wakeNext(): boolean {
    let next: Sleeper | undefined;
    for (const each of this.#sleepers)
      if (!next || each.at < next.at || (each.at === next.at && each.order < next.order)) next = each;
    if (!next) return false;
    this.#sleepers = this.#sleepers.filter((each) => each !== next);
    this.#now = Math.max(this.#now, next.at);
    next.wake();
    return true;
  }

  async #lastChance(settled: () => boolean): Promise<void> {
    for (let turn = 0; turn < 50 && !settled() && this.#sleepers.length === 0; turn++) await new Promise(setImmediate);
    if (!settled() && this.#sleepers.length === 0) throw new Error('everything waits, and nothing is left to wake it');
  }
}

/** Time that never passes; a wait ends when it is called off. */
export const stillClock: Clock = {
  now: () => 0,
  monotonic: () => 0,
  sleep: (_ms, signal) =>
    new Promise((resolve) => {
      signal?.addEventListener('abort', () => resolve(), { once: true });
    }),
};

/** Real time, so many times faster: for searches whose files are real. */
export function fastClock(times: number): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const done = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, ms / times);
        signal?.addEventListener('abort', done, { once: true });
      }),
  };
}

/** Random numbers from a seed (mulberry32), and ids that count. */
export function seededRandom(seed: number): { next: () => number; id: () => string } {
  let state = seed >>> 0;
  let ids = 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return { next, id: () => `id-${seed}-${++ids}` };
}
