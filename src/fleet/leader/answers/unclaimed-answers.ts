import type { Answer } from '../../protocol.ts';
import { forgetOldest } from './forget-oldest.ts';
import { type CountedBefore, Makings, wasPaid } from './makings.ts';

/** Answers that nobody asked for yet. */
const MOST_UNCLAIMED = 5000;

/** An answer, and its key in the queue. */
export interface KeptAnswer {
  readonly answer: Answer;
  readonly key: string;
}

/**
 * The answers that nobody waits for: to calls of earlier processes, to calls that were given up, and further ones to calls
 * that have their answer. They stay in the queue until they are used, so that a later process finds them, too; each one is
 * counted, and none twice.
 */
export class UnclaimedAnswers {
  readonly #onUnasked: (answer: Answer) => void;
  /** By the job that they belong to. */
  readonly #kept = new Map<string, KeptAnswer>();
  /** The questions of calls that nobody waits for any more, by job. */
  readonly #given = new Map<string, string>();
  readonly #makings: Makings;

  /** @param onUnasked called with each answer that is to be counted besides those that are used */
  constructor(onUnasked: (answer: Answer) => void, before: CountedBefore) {
    this.#onUnasked = onUnasked;
    this.#makings = new Makings(before);
  }

  /** @throws ThoughtTreeError `bad-input`, for a person to see to, if a call was made more often than can be in good faith */
  check(): void {
    this.#makings.check();
  }

  /** An answer has its call. */
  used(answer: Answer): void {
    this.#makings.used(answer);
  }

  /** Nobody waits for a call any more. */
  giveUp(job: string, asks: string): void {
    this.#given.set(job, asks);
    forgetOldest(this.#given, MOST_UNCLAIMED);
  }

  /** A call was taken back at no cost; returns the keys of answers that are of no more use. */
  costNothing(job: string): readonly string[] {
    this.#makings.costNothing(job);
    const kept = this.#kept.get(job);
    this.#kept.delete(job);
    return kept ? this.#countFurther(kept.answer, kept.key) : [];
  }

  /** The answer to a job, which is then used. */
  claim(job: string): KeptAnswer | undefined {
    const found = this.#kept.get(job);
    if (found?.answer.result.outcome !== 'answer') return undefined;
    this.#kept.delete(job);
    this.#makings.used(found.answer);
    return found;
  }

  /** One to a call that asked the same and was given up. */
  claimSame(asks: string): KeptAnswer | undefined {
    for (const [job, asked] of this.#given) {
      const found = asked === asks ? this.claim(job) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  /** Returns the question of a call that was given up, if this is the first answer to it. */
  askedBy(answer: Answer): string | undefined {
    const { id, result } = answer;
    const isFirst = !this.#kept.has(id) && !this.#makings.isSettled(id) && !this.#makings.isCounted(answer);
    return isFirst && result.outcome === 'answer' ? this.#given.get(id) : undefined;
  }

  /** Takes an answer that came; returns the keys of those that are of no more use. */
  add(answer: Answer, key: string): readonly string[] {
    if (!wasPaid(answer.result)) return [key];
    const kept = this.#kept.get(answer.id);
    if (kept?.answer.taken === answer.taken) return [];
    if (this.#makings.isSettled(answer.id)) {
      // The process that had it may have been killed before its words were in a file.
      if (this.#makings.wasUsedBefore(answer)) return this.#keep(answer, key);
      return this.#countFurther(answer, key);
    }
    if (this.#makings.isCounted(answer)) return [key];
    if (!kept) return this.#keep(answer, key);
    const isBetter = kept.answer.result.outcome !== 'answer' && answer.result.outcome === 'answer';
    this.#makings.mayBeUsed(isBetter ? answer : kept.answer);
    if (!isBetter) return this.#countFurther(answer, key);
    this.#kept.set(answer.id, { answer, key });
    return this.#countFurther(kept.answer, kept.key);
  }

  #keep(answer: Answer, key: string): readonly string[] {
    if (this.#kept.size < MOST_UNCLAIMED) this.#kept.set(answer.id, { answer, key });
    return [];
  }

  /** A queue that lost its memory gave a call to somebody else once more: that was paid for, too. */
  #countFurther(answer: Answer, key: string): readonly string[] {
    if (this.#makings.isAnother(answer)) this.#onUnasked(answer);
    return [key];
  }
}
