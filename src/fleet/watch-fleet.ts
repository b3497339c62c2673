import { setTimeout as sleep } from 'node:timers/promises';
import { readQueueAddress } from './address.ts';
import { lookAtFleet } from './look-at-fleet.ts';
import { openQueue } from './open-queue.ts';
import type { FleetQueue } from './queue.ts';
import type { FleetView } from './view-fleet.ts';

/** How often it looks, in milliseconds: as often as cards are shown. */
const LOOK_MS = 2000;

interface WatchOptions {
  readonly address: string;
  readonly onView: (view: FleetView) => void;
  /** The queue cannot be reached at this moment. */
  readonly onAway: (error: unknown) => void;
  readonly open?: () => Promise<FleetQueue>;
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
    const { address, onAway, open = () => openQueue(readQueueAddress(address), false) } = this.#options;
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
        await this.#rest();
      }
    }
  }

  async #lookAt(queue: FleetQueue): Promise<void> {
    for (;;) {
      const view = await lookAtFleet(queue);
      if (this.#over.signal.aborted) return;
      this.#options.onView(view);
      await this.#rest();
      if (this.#over.signal.aborted) return;
    }
  }

  async #rest(): Promise<void> {
    await sleep(LOOK_MS, undefined, { signal: this.#over.signal }).catch(() => undefined);
  }

  /** Resolves when the queue is closed. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#work;
  }
}
