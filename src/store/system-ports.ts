import { hash, randomInt, randomUUID } from 'node:crypto';
import type { Clock, Random } from '../core/ports/ports.ts';

const STEPS = 2 ** 48 - 1;

/** The system's clock. Its timers never keep a process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, signal),
};

/** The operating system's randomness: never the same twice. */
export const systemRandom: Random = {
  next: () => randomInt(STEPS) / STEPS,
  id: () => randomUUID(),
};

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    timer.unref();
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** Returns the first 128 bits of the SHA-256 of a text as UTF-8, or of bytes, in hex: enough to tell texts apart. */
export function textHash(content: string | Uint8Array): string {
  return hash('sha256', content, 'buffer').toString('hex', 0, 16);
}
