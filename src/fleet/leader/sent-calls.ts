import { setImmediate } from 'node:timers/promises';
import type { Message } from '../../core/messages/message.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import * as say from '../messages.ts';
import { answersOf, tokenOf } from '../names.ts';
import { Answer } from '../protocol.ts';
import { type CallPlace, type FleetQueue, insistently, packedLength, type QueuedAnswer, unpack } from '../queue.ts';
import { type CountedBefore, type KeptAnswer, UnclaimedAnswers, UsedAnswers } from './unclaimed-answers.ts';

/** The interval of looking at the queue where nothing is heard of it, in milliseconds. */
const LOOK_MS = 1000;
/** The time that a call may be without a trace before it counts as lost: its answer may be on its way. */
const TRACELESS_MS = 4000;
/** Beyond its own time, what a worker may need to give its answer back, in seconds. */
const GRACE_SECONDS = 60;
/** So many batches of answers are read at one look: whoever writes them without end must not keep us from the rest. */
const MOST_BATCHES = 100;
/** One that is smaller is given out with others if there are any, in bytes as packed. */
const SMALL = 1024 * 1024;
/** So many looks in vain are not by chance: a person is to know. */
const LOOKS_IN_VAIN = 3;

/** The end of a call: its answer, or the reason for having none. */
export type CallEnd = Answer | 'lost' | 'late' | 'untaken';

interface Sent extends CallPlace {
  /** Its question, in short: another call that asks the same may have its answer. */
  readonly asks: string;
  readonly seconds: number;
  readonly end: (how: CallEnd) => void;
  takenAt?: number;
  tracelessSince?: number;
}

const NOTHING: CountedBefore = { makings: [], further: [] };

export interface SentCallsParts {
  readonly queue: FleetQueue;
  /** The search's name in the queue. */
  readonly search: string;
  /** The key from which the tokens of calls are made. */
  readonly key: string;
  /** Tells whether this process still leads the search, by the files: its successor may be missing in the queue yet. */
  readonly holds: () => Promise<boolean>;
  /** Called with each answer that is to be counted besides those that are used. */
  readonly onUnasked: (answer: Answer) => void;
  /** The counts of earlier processes. */
  readonly before?: CountedBefore | undefined;
  /** Tells the person what is wrong with answers, the same again and again. */
  readonly notice: (what: Message) => void;
}

/** The calls of a search that are in the queue, and the answers that come back. Each answer is used once. */
export class SentCalls {
  readonly #queue: FleetQueue;
  readonly #search: string;
  readonly #key: string;
  readonly #holds: () => Promise<boolean>;
  readonly #notice: (what: Message) => void;
  readonly #sent = new Map<string, Sent>();
  readonly #unclaimed: UnclaimedAnswers;
  readonly #used: UsedAnswers;
  readonly #withdrawals: Withdrawals;
  readonly #timer: NodeJS.Timeout;
  readonly #deaf: () => void;
  #hasLooked = false;
  /** True if answers may have been handed out that were not used: by an earlier process, or where a look failed. */
  #readsAgain = true;
  /** So often in a row, the answers could not be read, and what has become of the calls could. */
  #unreadLooks = 0;
  #takesBack = false;
  #followedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #again = false;
  #isClosed = false;
  #asking: Promise<boolean> | undefined;

  constructor({ queue, search, key, holds, onUnasked, before = NOTHING, notice }: SentCallsParts) {
    this.#notice = notice;
    this.#unclaimed = new UnclaimedAnswers(onUnasked, before);
    this.#used = new UsedAnswers(queue, search);
    this.#withdrawals = new Withdrawals(queue);
    this.#queue = queue;
    this.#search = search;
    this.#key = key;
    this.#holds = holds;
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    this.#timer.unref();
    this.#deaf = queue.onNews((name) => {
      if (name === undefined || name === answersOf(search)) this.look();
    });
  }

  get underWay(): number {
    return this.#sent.size;
  }

  /** @throws ThoughtTreeError `bad-input`, for a person to see to, if a call was made more often than can be in good faith */
  checkDeliveries(): void {
    this.#unclaimed.check();
  }

  /** Resolves once the answers that came while no leader lived were read. */
  async ready(stop: Stop): Promise<void> {
    while (!this.#hasLooked && !stop.aborted) {
      this.look();
      await this.#looking;
      if (!this.#hasLooked) await new Promise((resolve) => setTimeout(resolve, LOOK_MS / 4));
    }
  }

  /** Returns an answer that came and nobody used, by the job that it belongs to. */
  claim(job: string): Answer | undefined {
    return this.#claimed(this.#unclaimed.claim(job));
  }

  /** Returns one to a call that asked the same and was given up. */
  claimSame(asks: string): Answer | undefined {
    return this.#claimed(this.#unclaimed.claimSame(asks));
  }

  #claimed(found: KeptAnswer | undefined): Answer | undefined {
    if (found) this.#used.add(found.key);
    return found?.answer;
  }

  /** Waits for the end of a call; whoever waits has sent it, or found it in the queue. */
  wait(place: CallPlace, asks: string, seconds: number): Promise<CallEnd> {
    return new Promise((resolve) => {
      const end = (how: CallEnd): void => {
        if (!this.#sent.delete(place.id)) return;
        if (typeof how === 'string') this.#unclaimed.giveUp(place.id, asks);
        resolve(how);
      };
      this.#sent.set(place.id, { ...place, asks, seconds, end });
      // It may have come while the caller looked for the call.
      const known = this.claim(place.id);
      if (known) end(known);
    });
  }

  /**
   * Nobody waits for a call any more: takes it back, at once even where this process has lost its search, unless somebody else
   * leads that in the queue by now. True if nobody had taken it.
   */
  async withdraw(place: CallPlace, asks: string): Promise<boolean> {
    this.#sent.delete(place.id);
    this.#unclaimed.giveUp(place.id, asks);
    return await this.#withdrawals.withdraw(place);
  }

  /** A call counts as none. Its queue may be put back to before it was taken back, and somebody make it after all. */
  costNothing(job: string): void {
    for (const over of this.#unclaimed.costNothing(job)) this.#used.add(over);
  }

  /** Takes a call back that is of no more use, unless this process has lost its search: whoever has it may adopt the call. */
  async #withdrawn(place: CallPlace): Promise<boolean> {
    return (await this.#leads()) && (await this.#queue.withdraw([place])).has(place.id);
  }

  /** Asked once for all that want to know it at the same moment. */
  #leads(): Promise<boolean> {
    this.#asking ??= this.#holds().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Sets whether calls that nobody has taken are taken back, now and from now on. */
  set takesBack(does: boolean) {
    this.#takesBack = does;
    if (does) this.look();
  }

  /** Looks at what the queue has for us, as soon as it can. */
  look(): void {
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = this.#look()
      .catch(() => undefined) // its database is away: the next look finds it
      .finally(() => {
        this.#looking = undefined;
        if (this.#again && !this.#isClosed) {
          this.#again = false;
          this.look();
        }
      });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#deaf();
    this.#isClosed = true;
    this.#again = false;
    await this.#looking;
    await this.#forget(true).catch(() => undefined);
  }

  /** Forgets used answers, unless the process has lost the search: then it writes nothing. */
  async #forget(all = false): Promise<void> {
    if (this.#used.hasOld(all) && (await this.#leads())) await this.#used.forget(all);
  }

  /** Follows the calls even where answers cannot be read. */
  async #look(): Promise<void> {
    const [read] = await Promise.allSettled([this.#read()]);
    if (this.#takesBack) await this.#takeBack();
    const now = performance.now();
    if (now - this.#followedAt >= LOOK_MS / 2) {
      this.#followedAt = now;
      await this.#follow(read.status === 'fulfilled' && read.value);
      // The rest of the queue can be asked.
      if (read.status === 'rejected') this.#unread(read.reason);
      await this.#forget();
    }
    if (read.status === 'rejected') throw read.reason;
  }

  /** Reads answers, and tells whether there are no more. */
  async #read(): Promise<boolean> {
    let isCut = false;
    for (let again = this.#readsAgain, batches = 0; ; again = false) {
      this.#readsAgain = true;
      const answers = await this.#queue.answers(this.#search, again);
      for (const { key, payload } of answers) {
        if (payload === undefined) this.#notice(say.answerTooLarge());
        await this.#deliver(key, payload);
      }
      // There are more where there were many, or a large one: not all are given out at once.
      if (answers.length === 0 || (this.#hasLooked && isAlone(answers)) || this.#isClosed) break;
      isCut = ++batches === MOST_BATCHES;
      if (isCut) break;
    }
    this.#hasLooked = true;
    this.#readsAgain = false;
    this.#unreadLooks = 0;
    if (isCut) this.#again = true;
    return !isCut;
  }

  /** Said where it lasts. */
  #unread(error: unknown): void {
    const why = oneLine(error instanceof Error ? error.message : String(error), 300);
    if (++this.#unreadLooks >= LOOKS_IN_VAIN) this.#notice(say.answersUnread({ why }));
  }

  async #deliver(key: string, payload: unknown): Promise<void> {
    const answer = await unpack(Answer, payload);
    // Whoever did not take the call cannot answer it.
    if (!answer || answer.token !== tokenOf(this.#key, answer.id)) return this.#used.add(key);
    const sent = this.#sent.get(answer.id);
    if (sent) {
      sent.end(answer);
      this.#unclaimed.used(answer);
      return this.#used.add(key, sent);
    }
    const asks = this.#unclaimed.askedBy(answer);
    const same = asks === undefined ? undefined : [...this.#sent.values()].find((each) => each.asks === asks);
    if (!same) for (const over of this.#unclaimed.add(answer, key)) this.#used.add(over);
    if (!same) return;
    this.#unclaimed.used(answer);
    await this.#takePlace(same, answer);
    this.#used.add(key);
  }

  /** A call that was given up has an answer after all: the one that asks the same again need not be made. */
  async #takePlace(same: Sent, answer: Answer): Promise<void> {
    // Where that cannot be said, somebody may be working on it.
    const isFree = await this.#withdrawn(same).catch(() => false);
    if (answer.result.outcome !== 'answer') return;
    const { usage: _, ...unknown } = answer.result;
    // If somebody was working on it already, that cost something, too: nobody knows what.
    same.end(isFree ? answer : { ...answer, result: unknown });
  }

  async #takeBack(): Promise<void> {
    const calls = [...this.#sent.values()];
    const untaken = calls.length > 0 && (await this.#leads()) ? await this.#queue.withdrawUntaken(calls) : new Set();
    for (const sent of calls) if (untaken.has(sent.id)) sent.end('untaken');
  }

  /**
   * Finds out what has become of the calls under way.
   * @param isRead whether the answers that there are were read; if not, an answered call may have one
   */
  async #follow(isRead: boolean): Promise<void> {
    const calls = [...this.#sent.values()];
    if (calls.length === 0) return;
    const states = await this.#queue.states(calls);
    const now = performance.now();
    for (const sent of calls) {
      const state = states.get(sent.id) ?? 'unknown';
      const isUnread = state === 'answered' && !isRead;
      if (state === 'taken' || isUnread) sent.takenAt ??= now;
      if (state === 'waiting') delete sent.takenAt;
      if (state === 'waiting' || state === 'taken' || isUnread) delete sent.tracelessSince;
      else sent.tracelessSince ??= now;
      const isOver = state === 'lost' || state === 'withdrawn';
      const isTraceless = now - (sent.tracelessSince ?? now) >= (isOver ? 0 : TRACELESS_MS);
      if (sent.tracelessSince !== undefined && isTraceless) sent.end('lost');
      else if (sent.takenAt !== undefined && now - sent.takenAt > (sent.seconds + GRACE_SECONDS) * 1000) {
        sent.end('late');
        await this.#withdrawn(sent);
      }
    }
  }
}

/** Tells whether an answer was given out by itself because there are no others, and not because it is large. */
function isAlone(answers: readonly QueuedAnswer[]): boolean {
  return answers.length === 1 && packedLength(answers[0]?.payload) < SMALL;
}

/** A stop has to reach a call within two seconds; in milliseconds. */
const ASKED_MS = [0, 500, 1000, 1500];

interface Batch {
  readonly calls: CallPlace[];
  /** Those that nobody had taken. */
  readonly free: Promise<ReadonlySet<string>>;
}

/**
 * The calls of a search that are stopped. All that are stopped at the same moment are withdrawn together, as there may be
 * thousands.
 */
class Withdrawals {
  readonly #queue: Pick<FleetQueue, 'withdraw'>;
  #next: Batch | undefined;

  constructor(queue: Pick<FleetQueue, 'withdraw'>) {
    this.#queue = queue;
  }

  /**
   * Tells whether nobody had taken the call. Of one that was withdrawn without a reply, that is not known: it counts as
   * taken.
   * @throws AggregateError if it was asked for in vain
   */
  async withdraw(call: CallPlace): Promise<boolean> {
    this.#next ??= this.#begin();
    const { calls, free } = this.#next;
    calls.push(call);
    return (await free).has(call.id);
  }

  #begin(): Batch {
    const calls: CallPlace[] = [];
    const free = setImmediate().then(() => {
      this.#next = undefined;
      return insistently(ASKED_MS, () => this.#queue.withdraw(calls));
    });
    return { calls, free };
  }
}

/** The wait before it asks again, in milliseconds. */
const ASKED_AGAIN_MS = 500;

/** Says, each time that it is asked, whether nobody wants something any more. */
export type Stop = Pick<AbortSignal, 'aborted'>;

/** The reasons that asking again does not change: `unreachable` is of a role that may not do it. */
const FINAL = ['bad-request', 'lease-lost', 'unreachable', 'aborted'] as const;

/**
 * Asks the queue, at least once, until its database is there, or nobody wants it any more.
 * @throws ThoughtTreeError `aborted` if nobody does, uncharged
 */
export async function patiently<T>(stop: Stop, ask: () => Promise<T>, onAway: (error: unknown) => void): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (isThoughtTreeError(error, ...FINAL)) throw error;
      if (stop.aborted) throw new ThoughtTreeError('aborted', say.notTaken(), { cause: error, charged: false });
      onAway(error);
      await new Promise((resolve) => setTimeout(resolve, ASKED_AGAIN_MS));
    }
  }
}
