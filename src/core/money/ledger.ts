import * as z from 'zod';
import { type JournalEvent, WorstCase } from '../search/events.ts';
import type { SpendLimit, SpendLimits } from '../search/limits.ts';

const WorkedTimeState = z.object({
  workedMs: z.number(),
  isWorking: z.boolean(),
  workedTo: z.number(),
  lastTime: z.number(),
});

/**
 * The time for which a search was at work, as a sum over its journal: from event to event, so that a clock that is set
 * back costs no more than one such step. A run that was killed is taken to have ended at its last event.
 */
export class WorkedTime {
  /** `workedTo` is when the last event of a search at work happened. */
  #at: z.infer<typeof WorkedTimeState> = { workedMs: 0, isWorking: false, workedTo: 0, lastTime: 0 };

  /** Takes one event of the journal into account. */
  apply(event: JournalEvent): void {
    // It is noted by the next process, before it runs anything.
    if (event.type === 'lease-taken') this.stop();
    this.#pass(event);
    if (isBegin(event) || event.type === 'search-running') this.#at.isWorking = true;
    else if (event.type === 'search-paused' || event.type === 'search-finished') this.stop();
    // Others answer offers in their own time: a search that waits for nothing else is not working.
    else if (event.type === 'search-waiting' && event.reason === 'offers') this.stop();
    else if (event.type === 'spend-remembered') this.#at.workedMs += event.minutes * 60_000;
  }

  #pass(event: JournalEvent): void {
    const time = Date.parse(event.time);
    if (Number.isNaN(time)) return; // a damaged time must not spoil the sum
    this.#at.lastTime = time;
    if (!isOfRun(event)) return;
    if (this.#at.isWorking && !isBegin(event)) this.#at.workedMs += Math.max(0, time - this.#at.workedTo);
    this.#at.workedTo = time;
  }

  get state(): z.infer<typeof WorkedTimeState> {
    return { ...this.#at };
  }

  restore(state: z.infer<typeof WorkedTimeState>): void {
    this.#at = WorkedTimeState.parse(state);
  }

  /** Nobody works on it from here on. */
  stop(): void {
    this.#at.isWorking = false;
  }

  /** When the last event happened, in milliseconds since 1970; 0 before the first. */
  get lastTime(): number {
    return this.#at.lastTime;
  }

  /** To its last event, in minutes. */
  get minutes(): number {
    return this.minutesAt(this.#at.workedTo);
  }

  /** Returns the minutes at a moment in which it may still be at work. @param now milliseconds since 1970 */
  minutesAt(now: number): number {
    const running = this.#at.isWorking ? Math.max(0, now - this.#at.workedTo) : 0;
    return (this.#at.workedMs + running) / 60_000;
  }
}

function isBegin({ type }: JournalEvent): boolean {
  return type === 'search-started' || type === 'search-resumed';
}

/** Tells whether an event is one of a search at work. Others may come while nobody runs it, as after a kill. */
export function isOfRun(event: JournalEvent): boolean {
  return !OUTSIDE.has(event.type) && !('by' in event && event.by !== undefined);
}

const OUTSIDE: ReadonlySet<JournalEvent['type']> = new Set(['steered', 'adopted', 'spend-remembered', 'lease-taken']);

/** Sums that may never have been used: of calls that were cut off, or whose server did not say what they used. */
interface Booked {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
}

/**
 * The sum over the journal of all that counts as spent. `worstCase`: tokens of calls whose real usage is unknown; they
 * are in `booked` again, with their money, which is in `usd`.
 */
export interface Spend {
  readonly calls: number;
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
  readonly worstCase: number;
  readonly usd: number;
  /** True if the price of every call is known. */
  readonly usdComplete: boolean;
  /**
   * Time the search was working, in minutes, by the computer's clock: also while it slept with a search running, since nobody
   * can tell from a journal.
   */
  readonly minutes: number;
  /** The part of all this that is only booked. */
  readonly booked: Booked;
}

/** The least that is known to have been spent; tokens of every sort together. */
export interface SpendFloor {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
  readonly minutes: number;
}

const Sums = z.object({
  calls: z.number(),
  prompt: z.number(),
  cached: z.number(),
  completion: z.number(),
  worstCase: z.number(),
  usd: z.number(),
  usdComplete: z.boolean(),
  bookedCalls: z.number(),
  bookedUsd: z.number(),
  reservedTokens: z.number(),
  reservedUsd: z.number(),
});

const LedgerState = z.object({
  open: z.array(z.tuple([z.string(), WorstCase])),
  givenUp: z.array(z.tuple([z.string(), WorstCase])),
  ...Sums.shape,
  ...WorkedTimeState.shape,
});

const NOTHING: z.infer<typeof Sums> = {
  calls: 0,
  prompt: 0,
  cached: 0,
  completion: 0,
  worstCase: 0,
  usd: 0,
  usdComplete: true,
  bookedCalls: 0,
  bookedUsd: 0,
  reservedTokens: 0,
  reservedUsd: 0,
};

/**
 * Adds up what a search spends. A call is booked at its worst case when it starts; its real usage replaces that when it
 * ends. A call that never ended, or ended without a usage, stays at its worst case: the spend is never understated.
 */
export class Ledger {
  readonly time = new WorkedTime();
  readonly #open = new Map<string, WorstCase>();
  readonly #givenUp = new Map<string, WorstCase>();
  #sums = { ...NOTHING };

  /** Takes one event of the journal into account; ignores events that spend nothing. */
  apply(event: JournalEvent): void {
    this.time.apply(event);
    if (event.type === 'forked') this.#startAnew();
    else if (ENDS_CALLS.has(event.type)) this.#giveUpCalls();
    else if (event.type === 'call-started') this.#reserve(event.call, event.worst);
    else if (event.type === 'call-ended') this.#settle(event);
    else if (event.type === 'spend-remembered') this.#add(event);
  }

  /** What is before counts in another search. */
  #startAnew(): void {
    this.#open.clear();
    this.#givenUp.clear();
    this.restore({ ...new Ledger().state, lastTime: this.time.lastTime });
  }

  get state(): z.infer<typeof LedgerState> {
    return { open: [...this.#open], givenUp: [...this.#givenUp], ...this.#sums, ...this.time.state };
  }

  restore(state: unknown): void {
    const known = LedgerState.parse(state);
    for (const [call, worst] of known.open) this.#open.set(call, worst);
    for (const [call, worst] of known.givenUp) this.#givenUp.set(call, worst);
    this.#sums = Sums.parse(known);
    this.time.restore(known);
  }

  /** The sum of what is settled, without calls under way. */
  get spend(): Spend {
    const { bookedCalls, bookedUsd, reservedTokens, reservedUsd, ...settled } = this.#sums;
    const booked = { calls: bookedCalls, tokens: settled.worstCase, usd: bookedUsd };
    return { ...settled, minutes: this.time.minutes, booked };
  }

  /** The least that is settled, tokens of every sort together. */
  get spent(): SpendFloor {
    const { calls, prompt, completion, worstCase, usd, minutes } = this.spend;
    return { calls, tokens: prompt + completion + worstCase, usd, minutes };
  }

  /** Number of calls under way. */
  get underWay(): number {
    return this.#open.size;
  }

  /** The spend if the calls under way never end, and so count at their worst case: for readers of a dead search. */
  get spendAtWorst(): Spend {
    const { calls, worstCase, usd, usdComplete, booked, ...settled } = this.spend;
    const open = [...this.#open.values()];
    const more = { calls: open.length, tokens: this.#sums.reservedTokens, usd: this.#sums.reservedUsd };
    return {
      ...settled,
      calls: calls + open.length,
      worstCase: worstCase + this.#sums.reservedTokens,
      usd: usd + this.#sums.reservedUsd,
      usdComplete: usdComplete && open.every((worst) => worst.usd !== undefined),
      booked: { calls: booked.calls + more.calls, tokens: booked.tokens + more.tokens, usd: booked.usd + more.usd },
    };
  }

  /**
   * The first spend limit that one more call could exceed, counting everything under way at its worst case.
   * @param now milliseconds since 1970
   * @param kept what has to stay free for one later call
   */
  limitInTheWay(guards: SpendLimits, worst: WorstCase, now: number, kept?: WorstCase): SpendLimit | undefined {
    return this.#inTheWay(guards, worst, now, kept, { tokens: this.#sums.reservedTokens, usd: this.#sums.reservedUsd });
  }

  /**
   * Tells whether a call will probably be possible once those under way have ended: they seldom use a quarter of what
   * is booked for them. It books nothing, and does not say that the call may be made.
   */
  hasRoomLater(guards: SpendLimits, worst: WorstCase, now: number, kept?: WorstCase): boolean {
    return this.#inTheWay(guards, worst, now, kept, { tokens: 0, usd: 0 }) === undefined;
  }

  #inTheWay(
    guards: SpendLimits,
    worst: WorstCase,
    now: number,
    kept: WorstCase | undefined,
    reserved: { readonly tokens: number; readonly usd: number },
  ): SpendLimit | undefined {
    const calls = this.#sums.calls + this.#open.size + 1 + (kept ? 1 : 0);
    if (guards.calls !== undefined && calls > guards.calls) return 'calls';
    const spent = this.#sums.prompt + this.#sums.completion + this.#sums.worstCase + reserved.tokens;
    if (guards.tokens !== undefined && spent + worst.tokens + (kept?.tokens ?? 0) > guards.tokens) return 'tokens';
    const usd = this.#sums.usd + reserved.usd + (worst.usd ?? 0) + (kept?.usd ?? 0);
    if (guards.usd !== undefined && usd > guards.usd) return 'usd';
    if (guards.minutes !== undefined && this.time.minutesAt(now) >= guards.minutes) return 'minutes';
    return undefined;
  }

  /** The process of the last run is gone: its calls that have not ended never will, and count at their worst case. */
  giveUp(): void {
    this.#giveUpCalls();
    this.time.stop();
  }

  #giveUpCalls(): void {
    for (const [call, worst] of this.#open) {
      this.#settleAtWorst(call);
      this.#givenUp.set(call, worst);
    }
  }

  #reserve(call: string, worst: WorstCase): void {
    this.#open.set(call, worst);
    this.#sums.reservedTokens += worst.tokens;
    this.#sums.reservedUsd += worst.usd ?? 0;
  }

  #release(call: string): WorstCase | undefined {
    const worst = this.#open.get(call);
    if (!worst) return undefined;
    this.#open.delete(call);
    this.#sums.reservedTokens -= worst.tokens;
    this.#sums.reservedUsd -= worst.usd ?? 0;
    if (this.#open.size === 0) this.#sums.reservedUsd = 0; // sums of fractions drift
    return worst;
  }

  #settleAtWorst(call: string, booked?: WorstCase): void {
    const started = this.#release(call);
    if (!started) return;
    const worst = booked ? higherOf(started, booked) : started;
    this.#sums.calls++;
    this.#sums.bookedCalls++;
    this.#sums.worstCase += worst.tokens;
    this.#sums.bookedUsd += worst.usd ?? 0;
    this.#addMoney(worst.usd);
  }

  #settle(event: Extract<JournalEvent, { type: 'call-ended' }>): void {
    if (!event.usage && event.charged) {
      this.#settleAtWorst(event.call, event.booked);
      return;
    }
    if (!event.usage) {
      this.#release(event.call);
      return;
    }
    const worst = this.#release(event.call) ?? (event.late && this.#unsettle(event.call));
    if (this.#givenUp.has(event.call)) return; // a call whose start is damaged was still paid for
    this.#sums.calls++;
    this.#sums.prompt += event.usage.prompt;
    this.#sums.cached += event.usage.cached;
    this.#sums.completion += event.usage.completion;
    // A server that reported the cost of other answers, and not of this one, may have charged it all the same.
    this.#addMoney(event.usage.usd ?? worst?.usd);
    if (event.usage.usd === undefined) this.#sums.bookedUsd += worst?.usd ?? 0;
  }

  /** The answer to a call of a dead process came all the same: its usage takes the place of its worst case. */
  #unsettle(call: string): WorstCase | undefined {
    const worst = this.#givenUp.get(call);
    if (!worst) return undefined;
    this.#givenUp.delete(call);
    this.#sums.calls--;
    this.#sums.bookedCalls--;
    this.#sums.worstCase -= worst.tokens;
    this.#sums.bookedUsd -= worst.usd ?? 0;
    this.#sums.usd -= worst.usd ?? 0;
    return worst;
  }

  #add({ calls, tokens, usd }: SpendFloor): void {
    this.#sums.calls += calls;
    this.#sums.worstCase += tokens;
    this.#sums.usd += usd;
  }

  #addMoney(usd: number | undefined): void {
    if (usd === undefined) this.#sums.usdComplete = false;
    else this.#sums.usd += usd;
  }
}

/** Events after which calls that have not ended never will: a run that was killed told nothing of its end itself. */
const ENDS_CALLS: ReadonlySet<JournalEvent['type']> = new Set([
  'search-started',
  'search-resumed',
  'search-paused',
  'search-finished',
  'lease-taken',
]);

function higherOf(a: WorstCase, b: WorstCase): WorstCase {
  const usd = a.usd === undefined ? b.usd : Math.max(a.usd, b.usd ?? 0);
  return { tokens: Math.max(a.tokens, b.tokens), ...(usd === undefined ? {} : { usd }) };
}
