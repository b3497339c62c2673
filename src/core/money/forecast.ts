import type { Price } from '../ports/model.ts';
import { CallStatistics } from './call-statistics.ts';
import { type ExpectedAnswer, ExpectedCalls } from './expected-calls.ts';
import type { Spend } from './ledger.ts';
import { costOf } from './price.ts';

/** A figure that is not known yet; in nine cases of ten it comes to lie between `low` and `high`. */
export interface Band {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

/** What a search will come to. */
export interface Forecast {
  readonly calls: Band;
  readonly tokens: Band;
  /** US dollars; undefined where a price is not known. */
  readonly usd: Band | undefined;
  readonly minutes: Band;
  /** How many answers it rests on: of earlier searches here, and of this one. */
  readonly seen: { readonly past: number; readonly own: number };
}

export interface ForecastRequest {
  readonly kind: string;
  /** Nodes still to be worked on, at most; may be infinite. */
  readonly expansions: number;
  readonly maxDepth: number;
  readonly maxChildren?: number | undefined;
  readonly concurrency: number;
  readonly picker?: 'ranked' | 'one-at-a-time' | undefined;
  /** What is asked for a purpose costs: a price, `free`, or undefined where nobody knows. */
  readonly priceFor: (purpose: string) => Price | 'free' | undefined;
  /** Whether the report's opening is asked for. */
  readonly hasOpening: boolean;
  /** What earlier searches showed. */
  readonly past: CallStatistics;
  /** What this one showed so far. */
  readonly own?: CallStatistics | undefined;
  /** Open leaves by depth, from 0; undefined as long as the first level is not known. */
  readonly open?: readonly number[] | undefined;
}

/** Answers of one purpose at one depth. */
interface Part {
  readonly purpose: string;
  readonly depth: number;
  count: number;
}

/** So much of a search is worked on at most where it goes on until nothing is open. */
const MOST_EXPANSIONS = 20_000;
/** Leaves ranked by one pick, on average, that are worked on before the next one. */
const LEAVES_A_PICK = 25;
/** Slots are busy for so much of the time. */
const BUSY = 0.85;
/** How much of a topic's time is waited for at the end, with fewer and fewer slots at work. */
const LAST_TOPIC = 1.2;
/** What takes no slot, or comes when all are empty. */
const BESIDE: ReadonlySet<string> = new Set(['pick', 'synthesize']);
/** How far from the likely figure the ends of a band may be: three times from low to high at most. */
const WIDEST = Math.sqrt(3);
const NARROWEST = 1.08;
/** Nine of ten, of a normal distribution: 1.64 standard deviations, and a little for what is not modelled. */
const DEVIATIONS = 2.1;
/** How much one question differs from others of the same workspace, and how much a guess may be wrong. */
const BETWEEN_QUESTIONS = 0.2;
const GUESSED = 0.6;

/** What is left of a search, from what is open: before its start, all of it. Pure. */
export function forecast(request: ForecastRequest): Forecast {
  const expected = new ExpectedCalls(request.past, request.own ?? new CallStatistics());
  const parts = request.kind === 'research' ? researchParts(request, expected) : otherParts(request, expected);
  const sums = { calls: 0, tokens: 0, usd: 0, ms: 0, alone: 0, variance: 0, isPriced: true };
  for (const { purpose, depth, count } of parts) {
    const answer = expected.answer(purpose, depth);
    const calls = count * expected.callsPerAnswer(purpose);
    const tokens = answer.prompt + answer.completion;
    sums.calls += calls;
    sums.tokens += calls * tokens;
    sums.variance += calls * (tokens * expected.variation(purpose)) ** 2;
    if (!BESIDE.has(purpose)) sums.ms += calls * answer.ms;
    else if (purpose === 'synthesize') sums.alone += answer.ms;
    const usd = costPerAnswer(answer, request.priceFor(purpose));
    if (usd === undefined) sums.isPriced = false;
    else sums.usd += calls * usd;
  }
  const { seen } = expected;
  const deviation = deviationOf(seen, sums.tokens > 0 ? Math.sqrt(sums.variance) / sums.tokens : 0);
  const width = Math.min(WIDEST, Math.max(NARROWEST, Math.exp(DEVIATIONS * deviation)));
  const minutes = (sums.alone + timeOf(request, expected, sums.ms)) / 60_000;
  return {
    calls: band(sums.calls, Math.min(width, 1.5)),
    tokens: band(sums.tokens, width),
    usd: sums.isPriced ? band(sums.usd, width) : undefined,
    minutes: band(minutes, Math.min(WIDEST, 1.2 * width)),
    seen,
  };
}

/** The same for the whole search: what is spent is certain, what is left is not. Never below what was spent. */
export function withSpend(left: Forecast, spend: Spend): Forecast {
  const plus = ({ low, likely, high }: Band, spent: number): Band => ({
    low: low + spent,
    likely: likely + spent,
    high: high + spent,
  });
  return {
    calls: plus(left.calls, spend.calls),
    tokens: plus(left.tokens, spend.prompt + spend.completion + spend.worstCase),
    usd: left.usd && spend.usdComplete ? plus(left.usd, spend.usd) : undefined,
    minutes: plus(left.minutes, spend.minutes),
    seen: left.seen,
  };
}

/**
 * Milliseconds that work takes on so many slots. As long as the first level is not known, or has fewer topics than there
 * are slots, not all of them are at work; at the end the last topic is waited for.
 */
function timeOf({ concurrency, open, expansions }: ForecastRequest, expected: ExpectedCalls, work: number): number {
  if (expansions <= 0 || work <= 0) return 0;
  const node = expected.answer('document', 1).ms + expected.answer('children', 1).ms;
  const root = open ? 0 : expected.answer('children', 0).ms;
  const wide = open ? sum(open) : expected.fanout(0);
  const idle = Math.max(0, 1 - wide / concurrency);
  return root + work / concurrency / BUSY + node * (idle + LAST_TOPIC);
}

function band(likely: number, width: number): Band {
  return { low: likely / width, likely, high: likely * width };
}

/** Standard deviation of the whole over its likely figure. */
function deviationOf({ past, own }: { past: number; own: number }, ofCalls: number): number {
  const known = Math.min(1, past / 30);
  const before = GUESSED * (1 - known) + BETWEEN_QUESTIONS * known;
  // Each own answer tells more of what this question is like.
  const question = before / Math.sqrt(1 + own / 15);
  return Math.sqrt(question ** 2 + ofCalls ** 2);
}

function costPerAnswer(answer: ExpectedAnswer, price: Price | 'free' | undefined): number | undefined {
  if (price === 'free') return 0;
  if (price) return costOf(answer, price);
  return answer.usdPerToken === undefined ? undefined : answer.usdPerToken * (answer.prompt + answer.completion);
}

/** The calls of a research search: the first level in order, then leaves as a picker that favours no depth takes them. */
function researchParts(request: ForecastRequest, expected: ExpectedCalls): Part[] {
  const { maxDepth, maxChildren = 50, hasOpening, picker } = request;
  const parts: Part[] = [];
  const open = [...(request.open ?? [])];
  if (!request.open) {
    parts.push({ purpose: 'children', depth: 0, count: 1 });
    open[1] = Math.min(maxChildren, expected.fanout(0));
  }
  const worked: number[] = [];
  const limit = Math.min(request.expansions, MOST_EXPANSIONS);
  const takeFrom = (depth: number, count: number): void => {
    worked[depth] = (worked[depth] ?? 0) + count;
    open[depth] = (open[depth] ?? 0) - count;
    if (depth < maxDepth) open[depth + 1] = (open[depth + 1] ?? 0) + count * expected.fanout(depth);
  };
  const first = Math.min(limit, open[1] ?? 0);
  takeFrom(1, first);
  let left = limit - first;
  const guided = left;
  for (let total = sum(open); left > 1e-6 && total > 1e-6; total = sum(open)) {
    const step = Math.min(left, Math.max(1, total / 20), total);
    const shares = open.map((count) => (count ?? 0) / total);
    for (const [depth, share] of shares.entries()) if (share > 0) takeFrom(depth, step * share);
    left -= step;
  }
  for (const [depth, count] of worked.entries()) {
    if (!count) continue;
    parts.push({ purpose: 'document', depth, count });
    if (depth < maxDepth) parts.push({ purpose: 'children', depth, count });
  }
  const picks = (guided - left) / (picker === 'one-at-a-time' ? 1 : LEAVES_A_PICK);
  if (picks > 0) parts.push({ purpose: 'pick', depth: 0, count: picks });
  if (hasOpening) parts.push({ purpose: 'synthesize', depth: 0, count: 1 });
  return parts;
}

/** The calls of another kind of search: as many for each node as earlier ones made. */
function otherParts({ expansions, hasOpening }: ForecastRequest, expected: ExpectedCalls): Part[] {
  const nodes = Math.min(expansions, MOST_EXPANSIONS);
  const seen = expected.purposes.filter((purpose) => purpose !== 'synthesize' && purpose !== 'pick');
  const purposes = seen.length > 0 ? seen : ['generate', 'evaluate'];
  const parts = purposes.map((purpose) => ({ purpose, depth: 1, count: nodes * (expected.perNode(purpose) ?? 1) }));
  return hasOpening ? [...parts, { purpose: 'synthesize', depth: 0, count: 1 }] : parts;
}

function sum(counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0);
}
