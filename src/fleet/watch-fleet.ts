import { setTimeout as sleep } from 'node:timers/promises';
import { isThoughtTreeError } from '../core/search/errors.ts';
import { readQueueAddress } from './address.ts';
import type { FleetView } from './look-at-fleet.ts';
import { lookAtFleet } from './look-at-fleet.ts';
import { openQueue } from './open-queue.ts';
import type { FleetQueue } from './queue.ts';

/** The interval of its looks, in milliseconds: as often as cards are shown. */
const LOOK_MS = 2000;
/** The time for which it leaves a database alone that did not let it in, in milliseconds. */
const REFUSED_MS = 20_000;

interface WatchOptions {
  /** Opens the queue. */
  readonly open: () => Promise<FleetQueue>;
  readonly onView: (view: FleetView) => void;
  /** The queue cannot be reached at this moment. */
  readonly onAway: (error: unknown) => void;
}

/** Opens a queue only to look at it. */
export async function openToLook(address: string): Promise<FleetQueue> {
  return await openQueue(readQueueAddress(address), false);
}

/** Looks at a fleet again and again, by one open queue, until it is closed; opens it anew where that failed. */
export class FleetWatch {
  readonly #options: WatchOptions;
  readonly #over = new AbortController();
  readonly #work: Promise<void>;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#work = this.#watch();
  }

  async #watch(): Promise<void> {
    const { onAway, open } = this.#options;
    while (!this.#over.signal.aborted) {
      try {
        const queue = await open();
        try {
          await this.#lookAt(queue);
        } finally {
          await queue.close();
        }
      } catch (error) {
        if (!this.#over.signal.aborted) onAway(error);
        await this.#rest(isThoughtTreeError(error, 'key-refused') ? REFUSED_MS : LOOK_MS);
      }
    }
  }

  async #lookAt(queue: FleetQueue): Promise<void> {
    for (;;) {
      const view = await lookAtFleet(queue);
      if (this.#over.signal.aborted) return;
      this.#options.onView(view);
      await this.#rest(LOOK_MS);
      if (this.#over.signal.aborted) return;
    }
  }

  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#over.signal }).catch(() => undefined);
  }

  /** Resolves when the queue is closed. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#work;
  }
}
