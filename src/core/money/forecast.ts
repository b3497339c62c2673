import { type Price, type Purposes, traitsOf } from '../ports/model.ts';
import type { SpendLimit, SpendLimits } from '../search/limits.ts';
import { CallStatistics } from './call-statistics.ts';
import { type ExpectedAnswer, ExpectedCalls, type PartGuess } from './expected-calls.ts';
import type { Spend } from './ledger.ts';
import { costOf } from './price.ts';

/** An uncertain figure; in nine cases of ten the real one lies between `low` and `high`. */
export interface Band {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

/** The expected use of a search. */
export interface Forecast {
  readonly calls: Band;
  readonly tokens: Band;
  /** US dollars; undefined if a price is unknown. */
  readonly usd: Band | undefined;
  readonly minutes: Band;
  /** The number of answers that it is based on: of earlier searches here, and of this one. */
  readonly seen: { readonly past: number; readonly own: number };
  /**
   * Of a search that goes to its very end, or ends when it has a solution: what it uses at most, in 19 cases of 20. The
   * bands say little then.
   */
  readonly atMost?: Most;
}

interface Most {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number | undefined;
  readonly minutes: number;
}

/** The part of a search that is still to come, and its options. */
export interface PartsRequest {
  /** Nodes that may still be worked on; may be infinite. */
  readonly expansions: number;
  readonly maxDepth: number;
  /** The options of its kind, from search.json and this run. */
  readonly options: object;
  /** As search.json names it; the kind's usual one by default. */
  readonly strategy?: string | undefined;
  /** The report's opening will be asked for. */
  readonly hasOpening: boolean;
  /** The model reads files with tools, in requests of their own. */
  readonly reads?: boolean;
  /** Open leaves by depth, from 0; undefined as long as the first level is unknown. */
  readonly open?: readonly number[] | undefined;
}

/** The calls that the searches of a kind make. Pure. */
export interface KindForecast {
  /** The calls that are still to come. */
  readonly parts: (request: PartsRequest, expected: ExpectedCalls) => readonly Part[];
  /** The calls at most, for a search whose end its size does not tell; undefined for others. */
  readonly most?: (request: PartsRequest, expected: ExpectedCalls) => readonly Part[] | undefined;
  /** Returns the share by which its whole tree may differ beyond what its answers do; nothing by default. */
  readonly deviation?: (request: PartsRequest, expected: ExpectedCalls) => number;
  /** The purposes of its calls. */
  readonly purposes: Purposes;
  /** The purposes of the calls for one node, one after the other; the last one also lists the first level. */
  readonly ofNode: readonly string[];
}

export interface ForecastRequest extends PartsRequest {
  readonly kind: KindForecast;
  readonly concurrency: number;
  /**
   * Returns the price of calls for a purpose, or `free`; undefined if only earlier calls can tell it, `unknown` if these were
   * made by others.
   */
  readonly priceFor: (purpose: string) => Price | 'free' | 'unknown' | undefined;
  /** The statistics of earlier searches. */
  readonly past: CallStatistics;
  /** The statistics of this one so far. */
  readonly own?: CallStatistics | undefined;
}

/** Answers of one purpose at one depth. */
export interface Part {
  readonly purpose: string;
  readonly depth: number;
  readonly count: number;
  /** The use of one of them where nothing is known, if that is another guess than the purpose's own. */
  readonly guess?: PartGuess;
}

/** The number of nodes that is assumed for a search that runs until nothing is open. */
export const MOST_EXPANSIONS = 20_000;
/** The share of time that slots are busy. */
const BUSY = 0.85;
/** The multiple of a topic's time that is added at the end, while fewer and fewer slots are busy. */
const LAST_TOPIC = 1.2;
/** The ratio of a band's ends to the likely figure: three times from low to high at most, four without earlier searches. */
const WIDEST = Math.sqrt(3);
const WIDEST_GUESS = Math.sqrt(4);
/** The ratio where models read files: two and a half times. Seven of eight recorded searches lie within. */
const WIDEST_READING = Math.sqrt(2.5);
const NARROWEST = 1.08;
/** Nine of ten, of a normal distribution: 1.64 standard deviations, and a little for unmodelled effects. */
const DEVIATIONS = 2.1;
/** The share by which questions of the same workspace differ, and that by which a guess may be wrong. */
const BETWEEN_QUESTIONS = 0.2;
const GUESSED = 0.6;
/** The share by which answers may be longer than usual: where that is a guess, and where it is known. */
const LONGER = { guessed: 1, known: 0.4 };
/** Calls that have to be repeated. */
const REPEATED = 1.1;

/** Forecasts what the rest of a search will use, based on what is open: before its start, all of it. Pure. */
export function forecast(request: ForecastRequest): Forecast {
  const { kind, past, own } = request;
  const expected = new ExpectedCalls(past, own ?? new CallStatistics(), kind.purposes);
  const sums = sumsOf(kind.parts(request, expected), request, expected);
  const { seen } = expected;
  const ofCalls = sums.tokens > 0 ? Math.sqrt(sums.variance) / sums.tokens : 0;
  const deviation = Math.hypot(deviationOf(seen, ofCalls), kind.deviation?.(request, expected) ?? 0);
  const widest = request.reads ? WIDEST_READING : seen.past === 0 ? WIDEST_GUESS : WIDEST;
  const width = Math.min(widest, Math.max(NARROWEST, Math.exp(DEVIATIONS * deviation)));
  const most = kind.most?.(request, expected);
  return {
    calls: band(sums.calls, Math.min(width, 1.5)),
    tokens: band(sums.tokens, width),
    usd: sums.usd === undefined ? undefined : band(sums.usd, width),
    minutes: band(sums.minutes, Math.min(widest, 1.2 * width)),
    seen,
    ...(most && { atMost: atMostOf(sums, sumsOf(most, request, expected), seen) }),
  };
}

/** The likely use of parts of a search. */
interface Sums {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number | undefined;
  readonly minutes: number;
  /** Of the tokens. */
  readonly variance: number;
}

function sumsOf(parts: readonly Part[], request: ForecastRequest, expected: ExpectedCalls): Sums {
  const { kind } = request;
  const sums = { calls: 0, tokens: 0, usd: 0, ms: 0, alone: 0, variance: 0, isPriced: true };
  for (const { purpose, depth, count, guess } of parts) {
    const answer = expected.answer(purpose, depth, guess);
    const calls = count * expected.callsPerAnswer(purpose);
    const tokens = answer.prompt + answer.completion;
    sums.calls += calls;
    sums.tokens += calls * tokens;
    sums.variance += calls * (tokens * expected.variation(purpose)) ** 2;
    const { when } = traitsOf(kind.purposes, purpose);
    if (when === 'slot') sums.ms += calls * answer.ms;
    else if (when === 'end') sums.alone += answer.ms;
    const usd = costPerAnswer(answer, request.priceFor(purpose));
    if (usd === undefined) sums.isPriced = false;
    else sums.usd += calls * usd;
  }
  const { calls, tokens, variance, usd, isPriced } = sums;
  const minutes = (sums.alone + timeOf(request, expected, sums.ms)) / 60_000;
  return { calls, tokens, variance, minutes, usd: isPriced ? usd : undefined };
}

/** The most, with longer answers than usual; never below what is likely. */
function atMostOf(likely: Sums, most: Sums, { past, own }: Forecast['seen']): Most {
  const known = Math.min(1, past / 30);
  const longer = 1 + (LONGER.guessed * (1 - known) + LONGER.known * known) / Math.sqrt(1 + own / 15);
  const usd = likely.usd === undefined || most.usd === undefined ? undefined : Math.max(likely.usd, most.usd) * longer;
  return {
    calls: Math.max(likely.calls, most.calls) * REPEATED,
    tokens: Math.max(likely.tokens, most.tokens) * longer,
    usd,
    minutes: Math.max(likely.minutes, most.minutes) * longer,
  };
}

/** Returns one forecast of several that differ in who does the work: from the cheapest to the dearest. */
export function eitherOf(one: Forecast, other: Forecast): Forecast {
  if (!one.usd || !other.usd)
    return { ...one, usd: undefined, ...(one.atMost && { atMost: { ...one.atMost, usd: undefined } }) };
  const [a, b] = [one.usd, other.usd];
  const usd = { low: Math.min(a.low, b.low), likely: (a.likely + b.likely) / 2, high: Math.max(a.high, b.high) };
  const atMost = one.atMost && { ...one.atMost, usd: Math.max(one.atMost.usd ?? 0, other.atMost?.usd ?? 0) };
  return { ...one, usd, ...(atMost && { atMost }) };
}

/**
 * Limits a forecast to what the spend limits still allow: a search stops at the first one in its way, and then everything
 * else it would have used is left undone, too.
 */
export function withinLimits(left: Forecast, guards: SpendLimits, spend: Spend): Forecast {
  const spent = { calls: spend.calls, tokens: spend.prompt + spend.completion + spend.worstCase, usd: spend.usd };
  const room = (guard: SpendLimit): number => {
    const limit = guards[guard];
    return limit === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(0, limit - { ...spent, minutes: spend.minutes }[guard]);
  };
  const ends = ['low', 'likely', 'high'] as const;
  const shares = ends.map((end) =>
    Math.min(
      ...SPEND_LIMITS.map((guard) => {
        const figure = left[guard]?.[end] ?? 0;
        return figure > room(guard) ? room(guard) / figure : 1;
      }),
    ),
  );
  const bounded = (band: Band, guard: SpendLimit): Band => {
    const [low = 0, likely = 0, high = 0] = ends.map((end, n) => Math.min(room(guard), band[end] * (shares[n] ?? 1)));
    return { low: Math.min(low, likely), likely, high: Math.max(high, likely) };
  };
  const { calls, tokens, usd, minutes, seen, atMost } = left;
  const most = atMost && {
    calls: Math.min(atMost.calls, room('calls')),
    tokens: Math.min(atMost.tokens, room('tokens')),
    usd: atMost.usd === undefined ? undefined : Math.min(atMost.usd, room('usd')),
    minutes: Math.min(atMost.minutes, room('minutes')),
  };
  return {
    calls: bounded(calls, 'calls'),
    tokens: bounded(tokens, 'tokens'),
    usd: usd && bounded(usd, 'usd'),
    minutes: bounded(minutes, 'minutes'),
    seen,
    ...(most && { atMost: most }),
  };
}

const SPEND_LIMITS = ['calls', 'tokens', 'usd', 'minutes'] as const;

/**
 * Adds to a forecast what was used, for the whole search: that is certain, the rest is not. What is only booked, for
 * calls that were cut off, may not have been used: it is in the upper ends alone.
 */
export function withSpend(left: Forecast, spend: Spend): Forecast {
  const { booked } = spend;
  const plus = ({ low, likely, high }: Band, spent: number, unsure: number): Band => ({
    low: low + spent - unsure,
    likely: likely + spent - unsure,
    high: high + spent,
  });
  const tokens = spend.prompt + spend.completion + spend.worstCase;
  return {
    calls: plus(left.calls, spend.calls, 0),
    tokens: plus(left.tokens, tokens, booked.tokens),
    usd: left.usd && spend.usdComplete ? plus(left.usd, spend.usd, booked.usd) : undefined,
    minutes: plus(left.minutes, spend.minutes, 0),
    seen: left.seen,
    ...(left.atMost && { atMost: mostWith(left.atMost, spend) }),
  };
}

function mostWith({ calls, tokens, usd, minutes }: Most, spend: Spend): Most {
  return {
    calls: calls + spend.calls,
    tokens: tokens + spend.prompt + spend.completion + spend.worstCase,
    usd: usd === undefined || !spend.usdComplete ? undefined : usd + spend.usd,
    minutes: minutes + spend.minutes,
  };
}

/**
 * Milliseconds that work takes on so many slots. Not all of them are busy while the first level is unknown or has fewer
 * topics than there are slots; at the end the last topic is waited for.
 */
function timeOf(
  { kind, concurrency, open, expansions }: ForecastRequest,
  expected: ExpectedCalls,
  work: number,
): number {
  if (expansions <= 0 || work <= 0) return 0;
  const node = kind.ofNode.reduce((sum, purpose) => sum + expected.answer(purpose, 1).ms, 0);
  const root = open ? 0 : expected.answer(kind.ofNode.at(-1) ?? '', 0).ms;
  const wide = open ? sum(open) : expected.fanout(0);
  const idle = Math.max(0, 1 - wide / concurrency);
  return root + work / concurrency / BUSY + node * (idle + LAST_TOPIC);
}

function band(likely: number, width: number): Band {
  return { low: likely / width, likely, high: likely * width };
}

/** Standard deviation of the total over its likely figure. */
function deviationOf({ past, own }: { past: number; own: number }, ofCalls: number): number {
  const known = Math.min(1, past / 30);
  const before = GUESSED * (1 - known) + BETWEEN_QUESTIONS * known;
  // Each answer of this search tells more about this question.
  const question = before / Math.sqrt(1 + own / 15);
  return Math.sqrt(question ** 2 + ofCalls ** 2);
}

function costPerAnswer(answer: ExpectedAnswer, price: Price | 'free' | 'unknown' | undefined): number | undefined {
  if (price === 'free') return 0;
  if (price === 'unknown') return undefined;
  if (price) return costOf(answer, price);
  return answer.usdPerToken === undefined ? undefined : answer.usdPerToken * (answer.prompt + answer.completion);
}

/** Returns the sum of counts; one that is unknown adds nothing. */
export function sum(counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0);
}
