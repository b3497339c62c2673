import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { Delivery } from '../../core/search/events.ts';
import { madeTooOften } from '../messages.ts';
import { callOfJob } from '../names.ts';
import type { Answer } from '../protocol.ts';
import type { CallPlace, FleetQueue } from '../queue.ts';

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
  readonly #deliveries: Deliveries;

  /** @param onUnasked called with each answer that is to be counted besides those that are used */
  constructor(onUnasked: (answer: Answer) => void, before: CountedBefore) {
    this.#onUnasked = onUnasked;
    this.#deliveries = new Deliveries(before);
  }

  /** @throws ThoughtTreeError `bad-input`, for a person to see to, if a call was made more often than can be in good faith */
  check(): void {
    this.#deliveries.check();
  }

  /** An answer has its call. */
  used(answer: Answer): void {
    this.#deliveries.used(answer);
  }

  /** Nobody waits for a call any more. */
  giveUp(job: string, asks: string): void {
    this.#given.set(job, asks);
    forgetOldest(this.#given, MOST_UNCLAIMED);
  }

  /** A call was taken back at no cost; returns the keys of answers that are of no more use. */
  costNothing(job: string): readonly string[] {
    this.#deliveries.costNothing(job);
    const kept = this.#kept.get(job);
    this.#kept.delete(job);
    return kept ? this.#countFurther(kept.answer, kept.key) : [];
  }

  /** Returns the answer to a job, which is then used. */
  claim(job: string): KeptAnswer | undefined {
    const found = this.#kept.get(job);
    if (found?.answer.result.outcome !== 'answer') return undefined;
    this.#kept.delete(job);
    this.#deliveries.used(found.answer);
    return found;
  }

  /** Returns one to a call that asked the same and was given up. */
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
    const isFirst = !this.#kept.has(id) && !this.#deliveries.isSettled(id) && !this.#deliveries.isCounted(answer);
    return isFirst && result.outcome === 'answer' ? this.#given.get(id) : undefined;
  }

  /** Takes an answer that came; returns the keys of those that are of no more use. */
  add(answer: Answer, key: string): readonly string[] {
    if (!wasPaid(answer.result)) return [key];
    const kept = this.#kept.get(answer.id);
    if (kept?.answer.taken === answer.taken) return [];
    if (this.#deliveries.isSettled(answer.id)) {
      // The process that had it may have been killed before its words were in a file.
      if (this.#deliveries.wasUsedBefore(answer)) return this.#keep(answer, key);
      return this.#countFurther(answer, key);
    }
    if (this.#deliveries.isCounted(answer)) return [key];
    if (!kept) return this.#keep(answer, key);
    const isBetter = kept.answer.result.outcome !== 'answer' && answer.result.outcome === 'answer';
    this.#deliveries.mayBeUsed(isBetter ? answer : kept.answer);
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
    if (this.#deliveries.isAnother(answer)) this.#onUnasked(answer);
    return [key];
  }
}

/**
 * The number of times that a call is made in good faith. A database that is killed forgets what it had not flushed, and
 * may be put back to before that as well.
 */
const MOST_MAKINGS = 4;
/** The number counted until the search has paused for it: a worker could say without end that a call was made. */
const MOST_COUNTED = 100;
const MOST_JOBS = 5000;

/** The deliveries of a call, as far as known. */
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
  /** The deliveries that answered calls. */
  readonly makings: readonly Delivery[];
  /** Those that were counted besides. */
  readonly further: readonly Delivery[];
}

/** Counts how often each call was made, as far as answers tell, by its job: each delivery is counted once. */
class Deliveries {
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

  /** Tells whether a call counts as it ended, so that any other delivery is one more. */
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
function wasPaid(result: Answer['result']): boolean {
  return result.outcome === 'answer' || result.charged;
}

/** They are deleted so long after they were used, in milliseconds: by then their words are on disk. */
const USED_MS = 10_000;

interface Used {
  readonly key: string;
  readonly at: number;
  /** The call that it answered, if somebody waited for it. */
  readonly call: CallPlace | undefined;
}

/** The answers of a search that are of no more use, until they are deleted from the queue with their calls. */
export class UsedAnswers {
  readonly #queue: FleetQueue;
  readonly #search: string;
  #used: Used[] = [];

  constructor(queue: FleetQueue, search: string) {
    this.#queue = queue;
    this.#search = search;
  }

  add(key: string, call?: CallPlace): void {
    this.#used.push({ key, at: performance.now(), call: call && { id: call.id, queue: call.queue } });
  }

  /** Tells whether there are some that were used a while ago; with `all`, any. */
  hasOld(all: boolean): boolean {
    return this.#old(all).length > 0;
  }

  /** Deletes those that were used a while ago; all where nobody writes their words any more. */
  async forget(all: boolean): Promise<void> {
    const old = new Set(this.#old(all));
    const keys = [...old].map(({ key }) => key);
    const calls = [...old].flatMap(({ call }) => call ?? []);
    await this.#queue.forget(this.#search, keys, calls);
    this.#used = this.#used.filter((each) => !old.has(each));
  }

  #old(all: boolean): Used[] {
    const until = performance.now() - (all ? 0 : USED_MS);
    return this.#used.filter(({ at }) => at <= until);
  }
}

/** Keeps a map from growing beyond so many entries, if that is done with each one that is added. */
function forgetOldest(known: Map<string, unknown>, most: number): void {
  const oldest = known.keys().next();
  if (known.size > most && !oldest.done) known.delete(oldest.value);
}
