import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { Making } from '../../core/search/events.ts';
import { madeTooOften } from '../messages.ts';
import type { Answer } from '../protocol.ts';
import { forgetOldest } from './forget-oldest.ts';

/**
 * How often a call is made in good faith. A database that is killed forgets what it had not flushed, and may be put back to
 * before that as well.
 */
const MOST_MAKINGS = 4;
/** How many are counted until the search has paused for it: whoever took a call could say that it was made without end. */
const MOST_COUNTED = 100;
const MOST_JOBS = 5000;

/** How often each call was made, as far as answers tell: by job, the takings whose answers were used or counted. */
export class Makings {
  readonly #taken = new Map<string, Set<string>>();
  #isTooOften = false;

  /** @param known of calls that an earlier process knew the answers of */
  constructor(known: readonly Making[]) {
    for (const { job, taken } of known) this.#taken.set(job, new Set([taken]));
  }

  has(job: string): boolean {
    return this.#taken.has(job);
  }

  used({ id, taken }: Answer): void {
    this.#taken.set(id, (this.#taken.get(id) ?? new Set<string>()).add(taken));
    forgetOldest(this.#taken, MOST_JOBS);
  }

  /** Whether a further answer to a call was paid for as well; the same one, or one that cost nothing, was not. */
  isAnother({ id, taken, result }: Answer): boolean {
    const makings = this.#taken.get(id);
    if (!makings || makings.has(taken) || makings.size >= MOST_COUNTED) return false;
    if (result.outcome === 'failure' && !result.charged) return false;
    makings.add(taken);
    if (makings.size > MOST_MAKINGS) this.#isTooOften = true;
    return true;
  }

  /** @throws ThoughtTreeError `bad-input`, for a person to see to, if a call was made more often than in good faith */
  check(): void {
    if (!this.#isTooOften) return;
    throw new ThoughtTreeError('bad-input', madeTooOften({ most: MOST_MAKINGS }), { charged: false });
  }
}
