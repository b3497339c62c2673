import type { FleetQueue } from '../queue.ts';

/** The largest age of what is known of others where nothing is heard of it, in milliseconds. */
const KNOWN_MS = 1000;

/** Which servers asked to be left alone, whichever worker they said it to. */
export class RateLimits {
  readonly #queue: FleetQueue;
  readonly #until = new Map<string, number>();
  #knownAt = Number.NEGATIVE_INFINITY;

  constructor(queue: FleetQueue) {
    this.#queue = queue;
  }

  /** There may be something new. */
  heard(): void {
    this.#knownAt = Number.NEGATIVE_INFINITY;
  }

  /** Tells whether what the server said to others was learnt a moment ago. */
  get isKnown(): boolean {
    return performance.now() - this.#knownAt < KNOWN_MS;
  }

  /** Learns what the server said to others. */
  async refresh(): Promise<void> {
    const now = performance.now();
    for (const { account, model, ms } of await this.#queue.rates()) this.#hold(account, model, ms);
    this.#knownAt = now;
  }

  isHeld(account: string, model: string): boolean {
    return (this.#until.get(`${account} ${model}`) ?? 0) > performance.now();
  }

  /** Tells everybody with the same key; where the queue is away, it is known here. */
  note(account: string, model: string, ms: number): void {
    this.#hold(account, model, ms);
    this.#queue.noteRate({ account, model, ms }).catch(() => undefined);
  }

  #hold(account: string, model: string, ms: number): void {
    const key = `${account} ${model}`;
    this.#until.set(key, Math.max(this.#until.get(key) ?? 0, performance.now() + ms));
  }
}
