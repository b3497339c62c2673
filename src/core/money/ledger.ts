import * as z from 'zod';
import { type JournalEvent, WorstCase } from '../search/events.ts';
import type { Guard, Guards } from '../search/limits.ts';
import { WorkedTime, WorkedTimeState } from './worked-time.ts';

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

const LedgerState = z.object({
  open: z.array(z.tuple([z.string(), WorstCase])),
  givenUp: z.array(z.tuple([z.string(), WorstCase])),
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
  ...WorkedTimeState.shape,
});

/**
 * Adds up what a search spends. A call is booked at its worst case when it starts; its real usage replaces that when it
 * ends. A call that never ended, or ended without a usage, stays at its worst case: the spend is never understated.
 */
export class Ledger {
  readonly time = new WorkedTime();
  readonly #open = new Map<string, WorstCase>();
  readonly #givenUp = new Map<string, WorstCase>();
  #calls = 0;
  #prompt = 0;
  #cached = 0;
  #completion = 0;
  #worstCase = 0;
  #usd = 0;
  #usdComplete = true;
  #bookedCalls = 0;
  #bookedUsd = 0;
  #reservedTokens = 0;
  #reservedUsd = 0;

  /** Takes one event of the journal into account; ignores events that spend nothing. */
  apply(event: JournalEvent): void {
    this.time.apply(event);
    if (ENDS_CALLS.has(event.type)) this.#giveUpCalls();
    else if (event.type === 'call-started') this.#reserve(event.call, event.worst);
    else if (event.type === 'call-ended') this.#settle(event);
    else if (event.type === 'spend-remembered') this.#add(event);
  }

  get state(): z.infer<typeof LedgerState> {
    return {
      open: [...this.#open],
      givenUp: [...this.#givenUp],
      calls: this.#calls,
      prompt: this.#prompt,
      cached: this.#cached,
      completion: this.#completion,
      worstCase: this.#worstCase,
      usd: this.#usd,
      usdComplete: this.#usdComplete,
      bookedCalls: this.#bookedCalls,
      bookedUsd: this.#bookedUsd,
      reservedTokens: this.#reservedTokens,
      reservedUsd: this.#reservedUsd,
      ...this.time.state,
    };
  }

  restore(state: unknown): void {
    const known = LedgerState.parse(state);
    for (const [call, worst] of known.open) this.#open.set(call, worst);
    for (const [call, worst] of known.givenUp) this.#givenUp.set(call, worst);
    this.#calls = known.calls;
    this.#prompt = known.prompt;
    this.#cached = known.cached;
    this.#completion = known.completion;
    this.#worstCase = known.worstCase;
    this.#usd = known.usd;
    this.#usdComplete = known.usdComplete;
    this.#bookedCalls = known.bookedCalls;
    this.#bookedUsd = known.bookedUsd;
    this.#reservedTokens = known.reservedTokens;
    this.#reservedUsd = known.reservedUsd;
    this.time.restore(known);
  }

  /** The sum of what is settled, without calls under way. */
  get spend(): Spend {
    return {
      calls: this.#calls,
      prompt: this.#prompt,
      cached: this.#cached,
      completion: this.#completion,
      worstCase: this.#worstCase,
      usd: this.#usd,
      usdComplete: this.#usdComplete,
      minutes: this.time.minutes,
      booked: { calls: this.#bookedCalls, tokens: this.#worstCase, usd: this.#bookedUsd },
    };
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
    const more = { calls: open.length, tokens: this.#reservedTokens, usd: this.#reservedUsd };
    return {
      ...settled,
      calls: calls + open.length,
      worstCase: worstCase + this.#reservedTokens,
      usd: usd + this.#reservedUsd,
      usdComplete: usdComplete && open.every((worst) => worst.usd !== undefined),
      booked: { calls: booked.calls + more.calls, tokens: booked.tokens + more.tokens, usd: booked.usd + more.usd },
    };
  }

  /**
   * The first guard that one more call could exceed, counting everything under way at its worst case.
   * @param now milliseconds since 1970
   * @param kept what has to stay free for one later call
   */
  guardInTheWay(guards: Guards, worst: WorstCase, now: number, kept?: WorstCase): Guard | undefined {
    return this.#inTheWay(guards, worst, now, kept, { tokens: this.#reservedTokens, usd: this.#reservedUsd });
  }

  /**
   * Tells whether a call will probably be possible once those under way have ended: they seldom use a quarter of what
   * is booked for them. It books nothing, and does not say that the call may be made.
   */
  hasRoomLater(guards: Guards, worst: WorstCase, now: number, kept?: WorstCase): boolean {
    return this.#inTheWay(guards, worst, now, kept, { tokens: 0, usd: 0 }) === undefined;
  }

  #inTheWay(
    guards: Guards,
    worst: WorstCase,
    now: number,
    kept: WorstCase | undefined,
    reserved: { readonly tokens: number; readonly usd: number },
  ): Guard | undefined {
    const calls = this.#calls + this.#open.size + 1 + (kept ? 1 : 0);
    if (guards.calls !== undefined && calls > guards.calls) return 'calls';
    const spent = this.#prompt + this.#completion + this.#worstCase + reserved.tokens;
    if (guards.tokens !== undefined && spent + worst.tokens + (kept?.tokens ?? 0) > guards.tokens) return 'tokens';
    const usd = this.#usd + reserved.usd + (worst.usd ?? 0) + (kept?.usd ?? 0);
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
    this.#reservedTokens += worst.tokens;
    this.#reservedUsd += worst.usd ?? 0;
  }

  #release(call: string): WorstCase | undefined {
    const worst = this.#open.get(call);
    if (!worst) return undefined;
    this.#open.delete(call);
    this.#reservedTokens -= worst.tokens;
    this.#reservedUsd -= worst.usd ?? 0;
    if (this.#open.size === 0) this.#reservedUsd = 0; // sums of fractions drift
    return worst;
  }

  #settleAtWorst(call: string, booked?: WorstCase): void {
    const started = this.#release(call);
    if (!started) return;
    const worst = booked ? higherOf(started, booked) : started;
    this.#calls++;
    this.#bookedCalls++;
    this.#worstCase += worst.tokens;
    this.#bookedUsd += worst.usd ?? 0;
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
    this.#calls++;
    this.#prompt += event.usage.prompt;
    this.#cached += event.usage.cached;
    this.#completion += event.usage.completion;
    // A server that reported the cost of other answers, and not of this one, may have charged it all the same.
    this.#addMoney(event.usage.usd ?? worst?.usd);
    if (event.usage.usd === undefined) this.#bookedUsd += worst?.usd ?? 0;
  }

  /** The answer to a call of a dead process came all the same: its usage takes the place of its worst case. */
  #unsettle(call: string): WorstCase | undefined {
    const worst = this.#givenUp.get(call);
    if (!worst) return undefined;
    this.#givenUp.delete(call);
    this.#calls--;
    this.#bookedCalls--;
    this.#worstCase -= worst.tokens;
    this.#bookedUsd -= worst.usd ?? 0;
    this.#usd -= worst.usd ?? 0;
    return worst;
  }

  #add({ calls, tokens, usd }: SpendFloor): void {
    this.#calls += calls;
    this.#worstCase += tokens;
    this.#usd += usd;
  }

  #addMoney(usd: number | undefined): void {
    if (usd === undefined) this.#usdComplete = false;
    else this.#usd += usd;
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
