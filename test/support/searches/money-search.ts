import { CallStatistics } from '../../../src/core/money/call-statistics.ts';
import { type Forecast, type ForecastRequest, forecast, withSpend } from '../../../src/core/money/forecast.ts';
import type { Price } from '../../../src/core/ports/model.ts';
import type { WorkspaceText } from '../../../src/core/ports/workspace-text.ts';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import { expansionsOf, type Size, type SpendLimits } from '../../../src/core/search/limits.ts';
import { walk } from '../../../src/core/tree/tree.ts';
import type { Outcome } from '../../../src/engine/loop.ts';
import type { Search } from '../../../src/engine/search.ts';
import { openHeldSearch } from '../../../src/engine-parts/opening/open-held-search.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { researchForecast } from '../../../src/kinds/research/forecast.ts';
import { createMemoryStore } from '../memory-store.ts';
import { type Manner, normal, type RandomModel, randomModel } from '../models/random-model.ts';
import { seededRandom, VirtualClock } from '../virtual-clock.ts';
import { QUESTION } from './simulated-search.ts';

const SLOTS = 8;
const UNBOUND: SpendLimits = { calls: 1e9, tokens: 1e12, usd: 1e9 };

/** One workspace: what its model is like, what it costs, and what earlier searches in it showed. */
export interface MoneyWorkspace {
  readonly manner: Manner;
  readonly price: Price;
  readonly past: CallStatistics;
}

/** How a search with limits went, and what had been said of it. */
export interface MoneyRun {
  readonly said: Forecast;
  /** What the model charged when a limit stopped the search, else at its end; and the limits. */
  readonly stopped: {
    readonly billed: RandomModel['billed'];
    readonly guards: SpendLimits;
    readonly isBudget: boolean;
  };
  /** What the model charged for the whole search, and how long it took. */
  readonly whole: RandomModel['billed'] & { readonly minutes: number };
  /** US dollars that the journal counts for it: calls that broke off at their worst. */
  readonly counted: number;
}

/** How a search differs from the usual one. */
export interface MoneyManner {
  /** `small` by default. */
  readonly size?: Size;
  /** Whether a model of another price picks. */
  readonly isJudged?: boolean;
  /** Whether its prompts have quotations of a folder. */
  readonly hasContext?: boolean;
  /** Whether its first run goes half the way only, and the rest is forecast. */
  readonly isResumed?: boolean;
}

/** Returns a workspace with some earlier searches, all by chance. */
export async function moneyWorkspace(seed: number, searches = 2, how: MoneyManner = {}): Promise<MoneyWorkspace> {
  const { next } = seededRandom(seed);
  const between = (least: number, most: number): number => least + (most - least) * next();
  const manner: Manner = {
    document: between(150, 1500),
    fanout: [between(4, 12), between(2, 5), between(1.5, 4), between(1, 3)],
    spread: between(0.1, 0.5),
    pace: between(5, 25),
  };
  const prompt = Math.exp(between(Math.log(0.1), Math.log(10)));
  const price = { prompt, cached: prompt * between(0.05, 0.5), completion: prompt * between(3, 6) };
  const past = new CallStatistics();
  for (let n = 0; n < searches; n++) {
    const { events, run } = await openMoney({ manner, price, past }, seed * 1000 + n, UNBOUND, 0, how);
    await run();
    for (const event of events) past.apply(event);
  }
  return { manner, price, past };
}

/** Returns a search with limits by chance: as far as they let it go, then without them to its end. */
export async function moneyRun(workspace: MoneyWorkspace, seed: number, how: MoneyManner = {}): Promise<MoneyRun> {
  const { next } = seededRandom(seed);
  const before = forecastOf(workspace, how);
  const guards = {
    ...UNBOUND,
    usd: (before.usd?.likely ?? 1) * (0.1 + 2 * next()),
    ...(next() < 0.3 ? { tokens: Math.round(before.tokens.likely * (0.3 + next())) } : {}),
    ...(next() < 0.3 ? { calls: Math.round(before.calls.likely * (0.3 + next())) } : {}),
    ...(how.isResumed ? { calls: Math.max(6, Math.round(before.calls.likely * (0.2 + 0.5 * next()))) } : {}),
  };
  const opened = await openMoney(workspace, seed, guards, next() < 0.5 ? 0 : 0.1 * next(), how);
  const { search, run } = opened;
  const first = await run();
  const stopped = { billed: opened.billed(), guards, isBudget: first.state === 'paused' };
  const said = how.isResumed ? withSpend(leftOf(workspace, how, search), search.record.spend) : before;
  let last: Outcome = first;
  while (last.state === 'paused') {
    if (last.reason !== 'budget') throw new Error(`paused for ${last.reason}: ${last.message}`);
    await search.act({ action: 'grow', guards: UNBOUND }, 'test');
    last = await run();
  }
  return { said, stopped, whole: { ...opened.billed(), minutes: last.results.minutes }, counted: last.results.usd };
}

/** Returns what is said of the rest of a search that is at rest. */
function leftOf(workspace: MoneyWorkspace, how: MoneyManner, { tree, record }: Search): Forecast {
  const open: number[] = [];
  for (const node of walk(tree.root))
    if (node.parent && node.status === 'unexpanded') open[node.depth] = (open[node.depth] ?? 0) + 1;
  const expansions = Math.max(0, expansionsOf(how.size ?? 'small') - tree.finished);
  return forecast({
    ...requestFor(workspace, how),
    expansions,
    ...(tree.root.listed && { open }),
    own: record.statistics,
  });
}

/** Returns what is said of a search in a workspace before its start. */
export function forecastOf(workspace: MoneyWorkspace, how: MoneyManner = {}): Forecast {
  return forecast(requestFor(workspace, how));
}

function requestFor({ price, past }: MoneyWorkspace, { size = 'small', isJudged }: MoneyManner): ForecastRequest {
  const priceFor = (purpose: string): Price => (isJudged && purpose === 'pick' ? judgePriceOf(price) : price);
  const expansions = expansionsOf(size);
  const kind = researchForecast;
  return { kind, options: {}, expansions, maxDepth: 4, concurrency: SLOTS, hasOpening: true, priceFor, past };
}

/** A judge is a smaller model. */
function judgePriceOf({ prompt, cached, completion }: Price): Price {
  return { prompt: prompt / 5, cached: cached / 5, completion: completion / 5 };
}

async function openMoney(
  { manner, price }: MoneyWorkspace,
  seed: number,
  guards: SpendLimits,
  faults = 0,
  { size = 'small', isJudged = false, hasContext = false }: MoneyManner = {},
): Promise<{
  search: Search;
  billed: () => RandomModel['billed'];
  events: JournalEvent[];
  run: () => Promise<Outcome>;
}> {
  const clock = new VirtualClock();
  const random = seededRandom(seed);
  // Each question is a little different from others.
  const own = { ...manner, document: manner.document * Math.exp(0.15 * normal(random.next)) };
  const model = randomModel({ manner: own, random: random.next, clock, price, faults });
  const store = createMemoryStore(QUESTION);
  const limits = { size, guards };
  const judge = isJudged
    ? randomModel({ manner: own, random: random.next, clock, price: judgePriceOf(price) })
    : undefined;
  const workspaceText = hasContext ? quotedText() : undefined;
  const search = await openHeldSearch({
    kinds: KINDS,
    store,
    model,
    ...(judge && { judge: { ...judge, name: 'random/judge' } }),
    ...(workspaceText && { workspaceText }),
    clock,
    random,
    folder: 'x',
    concurrency: SLOTS,
    limits,
    retryMs: 10,
  });
  const events: JournalEvent[] = [];
  search.listen((event) => events.push(event));
  const billed = (): RandomModel['billed'] => {
    const [a, b] = [model.billed, judge?.billed ?? { usd: 0, tokens: 0, calls: 0 }];
    return { usd: a.usd + b.usd, tokens: a.tokens + b.tokens, calls: a.calls + b.calls };
  };
  return { search, billed, events, run: () => clock.run(search.run()) };
}

/** Returns the text of a folder in which something is found for every node: three passages of another file each. */
function quotedText(): WorkspaceText {
  let n = 0;
  const lines = Array.from({ length: 25 }, (_, line) => `line ${line} of what the folder says about this topic`);
  return {
    find: async () =>
      Array.from({ length: 3 }, () => ({ path: `src/file-${++n}.ts`, from: 1, to: lines.length, lines })),
    overview: async () => '',
    read: async () => ({ unreadable: 'missing' }),
    named: async () => [],
    asSearched: async () => undefined,
    close: () => Promise.resolve(),
  };
}
