import { ThoughtTreeError } from '../../../core/search/errors.ts';
import type { Making } from '../../../core/search/events.ts';
import { madeTooOften } from '../../messages.ts';
import { callOfJob } from '../../names.ts';
import type { Answer } from '../../protocol.ts';
import { forgetOldest } from './forget-oldest.ts';

/**
 * The number of times that a call is made in good faith. A database that is killed forgets what it had not flushed, and
 * may be put back to before that as well.
 */
const MOST_MAKINGS = 4;
/** The number counted until the search has paused for it: a worker could say without end that a call was made. */
const MOST_COUNTED = 100;
const MOST_JOBS = 5000;

/** The makings of a call, as far as known. */
interface Made {
  /** Those that are counted: as the call's answer, or besides. */
  readonly counted: Set<string>;
  /** True if the call is over with one of them, or with none at no cost. */
  isSettled: boolean;
  /** The one whose answer an earlier process had. */
  before?: string;
}

/** The counts of earlier processes. */
export interface CountedBefore {
  /** The makings that answered calls. */
  readonly makings: readonly Making[];
  /** Those that were counted besides. */
  readonly further: readonly Making[];
}

/** Counts how often each call was made, as far as answers tell, by its job: each making is counted once. */
export class Makings {
  readonly #made = new Map<string, Made>();
  /** The calls that ended before: of their jobs, only the last one is known, and those before it cost nothing. */
  readonly #ended: ReadonlySet<string>;
  #isTooOften = false;

  constructor({ makings, further }: CountedBefore) {
    this.#ended = new Set(makings.map(({ job }) => callOfJob(job)));
    for (const { job, taken } of further) this.#of(job).counted.add(taken);
    for (const { job, taken } of makings) {
      this.#count(job, taken).isSettled = true;
      this.#of(job).before = taken;
    }
  }

  /** Tells whether a call counts as it ended, so that any other making is one more. */
  isSettled(job: string): boolean {
    return this.#made.get(job)?.isSettled || this.#ended.has(callOfJob(job));
  }

  isCounted({ id, taken }: Answer): boolean {
    return this.#made.get(id)?.counted.has(taken) ?? false;
  }

  /** Tells whether an earlier process had this very answer, and this one has not. */
  wasUsedBefore({ id, taken }: Answer): boolean {
    return this.#made.get(id)?.before === taken;
  }

  /** It answers its call. */
  used({ id, taken }: Answer): void {
    const made = this.#count(id, taken);
    made.isSettled = true;
    delete made.before;
    forgetOldest(this.#made, MOST_JOBS);
  }

  /** A call ended without an answer, and at no cost. */
  costNothing(job: string): void {
    this.#of(job).isSettled = true;
    forgetOldest(this.#made, MOST_JOBS);
  }

  /** It may answer its call, which is booked as if it did. */
  mayBeUsed({ id, taken }: Answer): void {
    this.#count(id, taken);
  }

  /** Tells whether a further answer to a call was paid for as well; the same one, or one that cost nothing, was not. */
  isAnother({ id, taken, result }: Answer): boolean {
    const { counted } = this.#of(id);
    if (counted.has(taken) || counted.size >= MOST_COUNTED || !wasPaid(result)) return false;
    counted.add(taken);
    if (counted.size > MOST_MAKINGS) this.#isTooOften = true;
    return true;
  }

  /** @throws ThoughtTreeError `bad-input`, for a person to see to, if a call was made more often than in good faith */
  check(): void {
    if (!this.#isTooOften) return;
    throw new ThoughtTreeError('bad-input', madeTooOften({ most: MOST_MAKINGS }), { charged: false });
  }

  #count(job: string, taken: string): Made {
    const made = this.#of(job);
    made.counted.add(taken);
    return made;
  }

  #of(job: string): Made {
    const made = this.#made.get(job) ?? { counted: new Set<string>(), isSettled: false };
    this.#made.set(job, made);
    return made;
  }
}

/** Tells whether what a worker gave back cost something. */
export function wasPaid(result: Answer['result']): boolean {
  return result.outcome === 'answer' || result.charged;
}
