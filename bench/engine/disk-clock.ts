import TinyQueue from 'tinyqueue';
import type { Clock } from '../../src/core/ports/ports.ts';
import { type DiskOperations, diskOperations } from '../../src/store/files/disk/disk-operations.ts';

interface Sleeper {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
  isGone: boolean;
}

/** So many turns of the event loop without any use of the disk mean that everything waits for the time. */
const IDLE_TURNS = 3;

/**
 * A clock for real files: its time passes only while nothing is being done, on the disk neither. So a search takes the
 * same time on every machine, however slow its disk or its processor.
 */
export class DiskClock implements Clock {
  #now = Date.UTC(2026, 0, 1);
  #order = 0;
  readonly #sleepers = new TinyQueue<Sleeper>([], (a, b) => a.at - b.at || a.order - b.order);
  /** Operations that were begun, and those that have not ended. */
  #begun = 0;
  #pending = 0;
  readonly #held = new Set<string>();
  #onQuiet = (): void => undefined;

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper: Sleeper = { at: this.#now + Math.max(0, ms), order: this.#order++, wake: resolve, isGone: false };
      this.#sleepers.push(sleeper);
      const callOff = (): void => {
        sleeper.isGone = true;
        resolve();
      };
      signal?.addEventListener('abort', callOff, { once: true });
    });
  }

  /** The system's file operations, watched. */
  get operations(): DiskOperations {
    const watched = Object.entries(diskOperations).map(([name, operation]) => [name, this.#watch(operation)]);
    return Object.fromEntries(watched) as DiskOperations;
  }

  /** No time passes until the same is released: something is being done that this clock cannot see. */
  hold(what: string): void {
    if (this.#held.has(what)) return;
    this.#held.add(what);
    this.#begun++;
    this.#pending++;
  }

  release(what: string): void {
    if (this.#held.delete(what)) this.#end();
  }

  /** Lets time pass until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    work.then(settle, settle);
    for (let idle = 0; !isSettled; ) {
      const before = this.#begun;
      if (this.#pending > 0) await this.#pendingEnd();
      await new Promise(setImmediate);
      idle = this.#pending === 0 && this.#begun === before ? idle + 1 : 0;
      if (idle < IDLE_TURNS || isSettled) continue;
      this.#wakeNext();
      idle = 0;
    }
    return await work;
  }

  #end(): void {
    if (--this.#pending === 0) this.#onQuiet();
  }

  /** Turning over meanwhile would use the processor, which is measured. */
  #pendingEnd(): Promise<void> {
    return new Promise((resolve) => {
      this.#onQuiet = resolve;
    });
  }

  #wakeNext(): void {
    let next = this.#sleepers.pop();
    while (next?.isGone) next = this.#sleepers.pop();
    if (!next) throw new Error('everything waits, and nothing is left to wake it');
    this.#now = Math.max(this.#now, next.at);
    next.wake();
  }

  #watch(operation: unknown): unknown {
    return (...args: unknown[]): unknown => {
      this.#begun++;
      const result: unknown = (operation as (...all: unknown[]) => unknown)(...args);
      if (!(result instanceof Promise)) return result;
      this.#pending++;
      const end = (): void => this.#end();
      result.then(end, end);
      return result;
    };
  }
}
