import { CallStatistics } from '../../../src/core/money/call-statistics.ts';
import { type Forecast, forecast } from '../../../src/core/money/forecast.ts';
import type { Price } from '../../../src/core/ports/model.ts';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import { expansionsOf, type Guards } from '../../../src/core/search/limits.ts';
import type { Outcome } from '../../../src/engine/outcome.ts';
import { Search } from '../../../src/engine/search.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { researchForecast } from '../../../src/kinds/research/forecast.ts';
import { createMemoryStore } from '../../../src/store/memory-store.ts';
import { type Manner, normal, type RandomModel, randomModel } from '../models/random-model.ts';
import { seededRandom, VirtualClock } from '../virtual-clock.ts';
import { QUESTION } from './simulated-search.ts';

const SLOTS = 8;
const SIZE = 'small';
const UNBOUND: Guards = { calls: 1e9, tokens: 1e12, usd: 1e9 };

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
  readonly stopped: { readonly billed: RandomModel['billed']; readonly guards: Guards; readonly isBudget: boolean };
  /** What the model charged for the whole search, and how long it took. */
  readonly whole: RandomModel['billed'] & { readonly minutes: number };
  /** US dollars that the journal counts for it: calls that broke off at their worst. */
  readonly counted: number;
}

/** A workspace with some earlier searches, all by chance. */
export async function moneyWorkspace(seed: number, searches = 2): Promise<MoneyWorkspace> {
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
    const { events, run } = await openMoney({ manner, price, past }, seed * 1000 + n, UNBOUND);
    await run();
    for (const event of events) past.apply(event);
  }
  return { manner, price, past };
}

/** A search with limits by chance: as far as they let it go, then without them to its end. */
export async function moneyRun(workspace: MoneyWorkspace, seed: number): Promise<MoneyRun> {
  const { next } = seededRandom(seed);
  const said = forecastOf(workspace);
  const guards = {
    ...UNBOUND,
    usd: (said.usd?.likely ?? 1) * (0.1 + 2 * next()),
    ...(next() < 0.3 ? { tokens: Math.round(said.tokens.likely * (0.3 + next())) } : {}),
    ...(next() < 0.3 ? { calls: Math.round(said.calls.likely * (0.3 + next())) } : {}),
  };
  const { search, model, run } = await openMoney(workspace, seed, guards, next() < 0.5 ? 0 : 0.1 * next());
  const first = await run();
  const stopped = { billed: { ...model.billed }, guards, isBudget: first.state === 'paused' };
  let last: Outcome = first;
  while (last.state === 'paused') {
    if (last.reason !== 'budget') throw new Error(`paused for ${last.reason}: ${last.message}`);
    await search.act({ action: 'grow', guards: UNBOUND }, 'test');
    last = await run();
  }
  return { said, stopped, whole: { ...model.billed, minutes: last.results.minutes }, counted: last.results.usd };
}

/** What is said of a search in a workspace before its start. */
export function forecastOf({ price, past }: MoneyWorkspace): Forecast {
  const priceFor = (): Price => price;
  const request = {
    kind: researchForecast,
    options: {},
    expansions: expansionsOf(SIZE),
    maxDepth: 4,
    concurrency: SLOTS,
    hasOpening: true,
  };
  return forecast({ ...request, priceFor, past });
}

async function openMoney(
  { manner, price }: MoneyWorkspace,
  seed: number,
  guards: Guards,
  faults = 0,
): Promise<{ search: Search; model: RandomModel; events: JournalEvent[]; run: () => Promise<Outcome> }> {
  const clock = new VirtualClock();
  const random = seededRandom(seed);
  // Each question is a little different from others.
  const own = { ...manner, document: manner.document * Math.exp(0.15 * normal(random.next)) };
  const model = randomModel({ manner: own, random: random.next, clock, price, faults });
  const store = createMemoryStore(QUESTION);
  const limits = { size: SIZE, guards } as const;
  const search = await Search.open({
    kinds: KINDS,
    store,
    model,
    clock,
    random,
    folder: 'x',
    concurrency: SLOTS,
    limits,
    retryMs: 10,
  });
  const events: JournalEvent[] = [];
  search.listen((event) => events.push(event));
  return { search, model, events, run: () => clock.run(search.run()) };
}
