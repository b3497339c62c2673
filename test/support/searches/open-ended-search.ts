import { CallStatistics } from '../../../src/core/money/call-statistics.ts';
import { type Forecast, forecast, withinLimits } from '../../../src/core/money/forecast.ts';
import { Ledger } from '../../../src/core/money/ledger.ts';
import type { Model } from '../../../src/core/ports/model.ts';
import type { JournalEvent } from '../../../src/core/search/events.ts';
import { DEFAULT_SPEND_LIMITS, expansionsOf, type Size } from '../../../src/core/search/limits.ts';
import type { SearchOptions } from '../../../src/core/search/search-file.ts';
import { thoughtForecast } from '../../../src/kinds/thoughts/forecast.ts';
import { normal } from '../models/random-model.ts';
import { thoughtModel } from '../models/thought-model.ts';
import { countTokens } from '../servers/server-tokens.ts';
import { seededRandom } from '../virtual-clock.ts';
import { simulateThoughts } from './simulated-thoughts.ts';

const PRICE = { prompt: 3, cached: 0.3, completion: 15 };
const SLOTS = 4;

/** What was said of a search that ends when it has a solution, and what it used. */
export interface OpenEndedRun {
  readonly said: Forecast;
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
}

/** Problems of one folder: how they are worked on, and what they are like, all by chance. */
interface Problems {
  readonly strategy: string;
  readonly options: Partial<SearchOptions>;
  readonly maxDepth: number;
  readonly size: Size;
  /** Characters of a thought, on average. */
  readonly length: number;
  /** The chance that a thought at the last depth is a solution, and that one before it is. */
  readonly solved: readonly [last: number, before: number];
}

function problemsBy(next: () => number): Problems {
  const between = (least: number, most: number): number => least + Math.floor((most - least + 1) * next());
  const strategy = ['breadth-first', 'depth-first', 'best-first'][between(0, 2)] as string;
  const sampling = next() < 0.2 ? 'independent_sampling' : 'sequential_proposal';
  const options = { beam: between(2, 5), candidates: between(2, 8), samples: between(1, 3), generation: sampling };
  const size = (['small', 'medium', 'large', 'all'] as const)[between(0, 3)] as Size;
  const solved = [0.02 + 0.5 * next(), 0.05 * next()] as const;
  return { strategy, options, maxDepth: between(2, 6), size, length: between(60, 600), solved };
}

/** Searches for solutions in one folder: the first is forecast from nothing, the others from those before. */
export async function openEndedRuns(seed: number, searches: number): Promise<OpenEndedRun[]> {
  const { next } = seededRandom(seed);
  const problems = problemsBy(next);
  const past = new CallStatistics();
  const runs: OpenEndedRun[] = [];
  for (let n = 0; n < searches; n++) {
    const said = forecastOf(problems, past);
    const { events, ...used } = await runOne(problems, seed * 1000 + n);
    runs.push({ said, ...used });
    for (const event of events) past.apply(event);
  }
  return runs;
}

function forecastOf({ strategy, options, maxDepth, size }: Problems, past: CallStatistics): Forecast {
  const request = { kind: thoughtForecast, options: { maxDepth, size, ...options }, strategy, maxDepth };
  const more = { expansions: expansionsOf(size), concurrency: SLOTS, hasOpening: true, priceFor: () => PRICE };
  return withinLimits(forecast({ ...request, ...more, past }), DEFAULT_SPEND_LIMITS, new Ledger().spend);
}

async function runOne(
  { strategy, options, maxDepth, size, length, solved }: Problems,
  seed: number,
): Promise<Omit<OpenEndedRun, 'said'> & { events: JournalEvent[] }> {
  const { next } = seededRandom(seed);
  const own = length * Math.exp(0.15 * normal(next));
  const words = (): string => 'word '.repeat(Math.max(1, Math.round((own * Math.exp(0.3 * normal(next))) / 5)));
  const thoughts = (path: readonly string[], _earlier: readonly string[], count: number): { content: string }[] =>
    Array.from({ length: count }, () => ({ content: `${Math.floor(next() * 1e9)} ${path.length} ${words()}` }));
  const score = (content: string): number => {
    const depth = Number(content.split(' ')[1]) + 1;
    const [last, before] = solved;
    if (next() < (depth >= maxDepth ? last : before)) return 9.6;
    return Math.round(10 * Math.min(9.4, Math.max(0, 6.5 + 2 * normal(next)))) / 10;
  };
  const plain = thoughtModel({ thoughts, score });
  const model: Model = {
    ...plain,
    async generate(request, call) {
      const answer = await plain.generate(request, call);
      // A judge gives its reasons for each thought, and every model thinks aloud a little before it answers.
      const judged = request.purpose === 'evaluate' ? answer.text.split('"id"').length - 1 : 1;
      const text = `${Array.from({ length: judged }, words).join('\n')}\n${answer.text}`;
      const sent = [request.system, ...request.turns.map((turn) => turn.text), request.prompt];
      const prompt = sent.reduce((sum, each) => sum + countTokens(each), 0);
      return { ...answer, text, usage: { prompt, cached: 0, completion: countTokens(text) } };
    },
  };
  const limits = { size, maxDepth, guards: DEFAULT_SPEND_LIMITS };
  const search = { model, concurrency: SLOTS, limits };
  const { run, events } = await simulateThoughts({ strategy, options: { ...options, maxDepth, size }, search, seed });
  const { results } = await run();
  const { prompt, cached, completion } = results.tokens;
  const usd = ((prompt - cached) * PRICE.prompt + cached * PRICE.cached + completion * PRICE.completion) / 1e6;
  return { calls: plain.log.length, tokens: prompt + completion, usd, events };
}
