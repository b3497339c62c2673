import { kept, type Message } from '../core/messages/message.ts';
import type { Ledger } from '../core/money/ledger.ts';
import type { Model, ModelRequest, Purpose } from '../core/ports/model.ts';
import type { Clock, Random } from '../core/ports/ports.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../core/search/errors.ts';
import type { WorstCase } from '../core/search/events.ts';
import type { SpendLimits } from '../core/search/limits.ts';
import { utf8Length } from '../core/text/text.ts';
import type { History } from './history.ts';
import { workStopped } from './messages.ts';

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

  /** Returns the delay before the n-th retry (n from 1), in milliseconds: doubling, with some randomness. */
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

/** The time for which a provider caches a prefix that nobody sends again, in milliseconds: the shortest time in use. */
const KEPT_MS = 5 * 60_000;

/** A request's place among those with the same prefix. */
export interface WarmingPlace {
  /** The answer has begun: requests with the same prefix are served from the cache from here on. */
  readonly begun: () => void;
  /** The request has ended, in whatever way. */
  readonly over: () => void;
}

const ALONE: WarmingPlace = { begun: () => undefined, over: () => undefined };

/**
 * If a provider's cache serves a prefix only once a first request with it was answered, one of the requests that share it
 * goes ahead and the others wait until its answer begins or it ends. The first one waits for nobody here, and ends at the
 * latest when its time is up; so nobody waits for ever.
 */
export class CacheWarming {
  readonly #clock: Clock;
  /** When each prefix was last used, the latest last. */
  readonly #warm = new Map<string, number>();
  readonly #ahead = new Map<string, Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws ThoughtTreeError `aborted` if the work is stopped meanwhile; then nothing was asked */
  async enter(request: ModelRequest, model: Model, signal: AbortSignal): Promise<WarmingPlace> {
    if (!model.warmsCache || !request.shared) return ALONE;
    const key = keyOf(request, model);
    for (let ahead = this.#ahead.get(key); ahead && !this.#isWarm(key); ahead = this.#ahead.get(key))
      await settled(ahead, signal);
    if (this.#isWarm(key)) {
      this.#use(key);
      return ALONE;
    }
    return this.#goAhead(key);
  }

  #goAhead(key: string): WarmingPlace {
    let release = (): void => undefined;
    const ahead = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#ahead.set(key, ahead);
    const over = (): void => {
      if (this.#ahead.get(key) === ahead) this.#ahead.delete(key);
      release();
    };
    const begun = (): void => {
      this.#use(key);
      this.#forgetCold();
      over();
    };
    return { begun, over };
  }

  #isWarm(key: string): boolean {
    const since = this.#warm.get(key);
    return since !== undefined && this.#clock.monotonic() - since < KEPT_MS;
  }

  /** Each use extends the time for which it is kept. */
  #use(key: string): void {
    this.#warm.delete(key);
    this.#warm.set(key, this.#clock.monotonic());
  }

  #forgetCold(): void {
    for (const key of this.#warm.keys()) {
      if (this.#isWarm(key)) return;
      this.#warm.delete(key);
    }
  }
}

/** Requests of one parent that share as many turns have the same prefix, whatever they ask. */
function keyOf({ node, shared = 0, turns }: ModelRequest, { name }: Model): string {
  const bytes = turns.slice(0, shared).reduce((sum, { text }) => sum + utf8Length(text), 0);
  return `${name} ${node.slice(0, Math.max(0, node.lastIndexOf('/')))} ${shared} ${bytes}`;
}

async function settled(ahead: Promise<void>, signal: AbortSignal): Promise<void> {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new ThoughtTreeError('aborted', workStopped(), { charged: false }));
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([ahead, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A call whose server has not been checked may use its worst case so many times. */
const UNCHECKED = 8;

/**
 * Calls for a purpose to a server none of whose answers for it was checked: it may use more than it is asked to, and
 * nobody knows yet. They run together as far as several times their worst case fits under the spend limits, and one at a time
 * beyond that.
 */
export class FirstCalls {
  readonly #checked = new Set<string>();
  readonly #open = new Map<string, { readonly model: string; readonly worst: WorstCase }>();

  /** Tells whether a call has to wait for the end of those under way. */
  mustWait(ledger: Ledger, guards: SpendLimits, { model, purpose, worst, now }: FirstCall): boolean {
    if (this.#isChecked(model, purpose)) return false;
    const others = [...this.#open.values()].filter((open) => open.model === model.name);
    if (others.length === 0) return false;
    // Calls under way are booked once already.
    const more = [times(worst, UNCHECKED), ...others.map((open) => times(open.worst, UNCHECKED - 1))];
    const guard = ledger.limitInTheWay(guards, more.reduce(sumOf), now);
    return guard === 'tokens' || guard === 'usd';
  }

  begin(call: string, model: Model, purpose: Purpose, worst: WorstCase): void {
    if (!this.#isChecked(model, purpose)) this.#open.set(call, { model: model.name, worst });
  }

  /** @param isChecked whether there was an answer, and what it used was compared with it */
  end(call: string, model: Model, purpose: Purpose, isChecked: boolean): void {
    this.#open.delete(call);
    if (isChecked) this.#checked.add(`${model.name} ${purpose}`);
  }

  #isChecked(model: Model, purpose: Purpose): boolean {
    return !model.metered || this.#checked.has(`${model.name} ${purpose}`);
  }
}

interface FirstCall {
  readonly model: Model;
  readonly purpose: Purpose;
  readonly worst: WorstCase;
  /** Milliseconds since 1970. */
  readonly now: number;
}

function times({ tokens, usd }: WorstCase, factor: number): WorstCase {
  return { tokens: tokens * factor, ...(usd === undefined ? {} : { usd: usd * factor }) };
}

function sumOf(a: WorstCase, b: WorstCase): WorstCase {
  return { tokens: a.tokens + b.tokens, usd: (a.usd ?? 0) + (b.usd ?? 0) };
}
