import type { Clock } from '../../core/ports/ports.ts';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import type { Patience } from './patience.ts';

/** Attempts of one request before it is given up; those that only wait for the model do not count. */
const ATTEMPTS = 5;
/** Attempts where what came is no answer at all: what a server says once it says again. */
const ATTEMPTS_AT_FORM = 2;
/** Attempts before a model that was never reached is given up. */
const FIRST_TRIES = 3;

const RETRIED = new Set(['bad-answer', 'server-error', 'timed-out', 'cut-off', 'refused', 'internal']);

/** Counts the failures of one request. */
export class Tries {
  readonly #patience: Patience;
  readonly #clock: Clock;
  #failures = 0;
  #formless = 0;
  #unreached = 0;

  constructor(patience: Patience, clock: Clock) {
    this.#patience = patience;
    this.#clock = clock;
  }

  /** Waits until the request may be sent again; false if that is pointless. */
  async endure(error: unknown, signal: AbortSignal): Promise<boolean> {
    const patience = this.#patience;
    const { reason, say, details } = toThoughtTreeError(error);
    if (reason === 'unreachable') {
      if (!patience.reached && ++this.#unreached >= FIRST_TRIES) return false;
      patience.wait(reason, say, undefined);
    } else if (reason === 'rate-limited') {
      patience.hear();
      patience.wait(reason, say, details.retryAfterMs);
    } else if (RETRIED.has(reason)) {
      if (reason !== 'timed-out') patience.hear();
      if (reason === 'bad-answer' && ++this.#formless >= ATTEMPTS_AT_FORM) return false;
      if (++this.#failures >= ATTEMPTS) return false;
      await this.#clock.sleep(Math.max(details.retryAfterMs ?? 0, patience.backoff(this.#failures)), signal);
    } else return false;
    return true;
  }
}
