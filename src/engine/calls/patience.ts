import { kept } from '../../core/messages/kept.ts';
import type { Message } from '../../core/messages/message.ts';
import type { Clock, Random } from '../../core/ports/ports.ts';
import type { History } from '../history.ts';

const LONGEST_WAIT_MS = 60_000;

/**
 * Holds back all calls of a search while its model cannot be reached or asks for a pause, and says so. All slots share
 * one wait, so that a rate limit is not hit by every slot in turn.
 */
export class Patience {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #history: History;
  readonly #shortestMs: number;
  #reached = false;
  #until = Number.NEGATIVE_INFINITY;
  #inARow = 0;
  #waiting = false;

  /** @param shortestMs the first wait, in milliseconds; each further one in a row is twice as long */
  constructor(clock: Clock, random: Random, history: History, shortestMs: number) {
    this.#clock = clock;
    this.#random = random;
    this.#history = history;
    this.#shortestMs = shortestMs;
  }

  /** Tells whether the model has answered in this run, even with a refusal. */
  get reached(): boolean {
    return this.#reached;
  }

  get waiting(): boolean {
    return this.#waiting;
  }

  /** The delay before the n-th retry (n from 1), in milliseconds: doubling, with some randomness. */
  backoff(n: number): number {
    const ms = Math.min(this.#shortestMs * 2 ** (n - 1), LONGEST_WAIT_MS);
    return Math.round(ms * (0.75 + this.#random.next() / 2));
  }

  /** Resolves when calls may be made. */
  async ready(signal: AbortSignal): Promise<void> {
    for (
      let ms = this.#until - this.#clock.monotonic();
      ms > 0 && !signal.aborted;
      ms = this.#until - this.#clock.monotonic()
    )
      await this.#clock.sleep(ms, signal);
  }

  /** Holds calls back, for as long as the server asked or a little longer each time. */
  wait(reason: string, why: Message, askedMs: number | undefined): void {
    // Slots that were rejected together count as one wait, or a few of them would make it the longest at once.
    if (this.#clock.monotonic() >= this.#until) this.#inARow++;
    // A server that repeatedly asks for no wait gets one nevertheless.
    const own = askedMs === undefined || this.#inARow > 1 ? this.backoff(this.#inARow) : 0;
    const ms = Math.max(askedMs ?? 0, own);
    this.#until = Math.max(this.#until, this.#clock.monotonic() + ms);
    if (this.#waiting) return;
    this.#waiting = true;
    this.#history.note({ type: 'search-waiting', reason, ...kept(why) });
  }

  /** There was a sign of life from the model. */
  hear(): void {
    this.#reached = true;
  }

  /** The model answered: calls may be made again. */
  succeed(): void {
    this.#reached = true;
    this.#inARow = 0;
    if (!this.#waiting) return;
    this.#waiting = false;
    this.#history.note({ type: 'search-running' });
  }
}
