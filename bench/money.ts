import { warmedModel } from '../test/support/models/warmed-model.ts';
import { type MoneyRun, moneyRun, moneyWorkspace } from '../test/support/searches/money-search.ts';
import { simulate } from '../test/support/searches/simulated-search.ts';
import { VirtualClock } from '../test/support/virtual-clock.ts';
import type { Figure, PartOptions } from './figure.ts';

const SEARCHES_A_WORKSPACE = 10;

/** Searches with random lengths, prices, faults and limits, on 8 slots: their forecasts, and their real cost. */
export async function money({ quick, say }: PartOptions): Promise<Figure[]> {
  const runs: MoneyRun[] = [];
  for (let workspace = 1; workspace <= (quick ? 5 : 100); workspace++) {
    say(`workspace ${workspace}`);
    const where = await moneyWorkspace(workspace);
    for (let n = 0; n < SEARCHES_A_WORKSPACE; n++) runs.push(await moneyRun(where, workspace * 1_000_003 + n));
  }
  return [...limitFigures(runs), ...forecastFigures(runs), ...(await warmingFigures(say))];
}

function limitFigures(runs: readonly MoneyRun[]): Figure[] {
  const reached = runs.filter(({ stopped }) => stopped.isBudget);
  const passed = runs.filter(({ stopped: { billed, guards } }) => {
    const { usd = 0, tokens = 0, calls = 0 } = guards;
    return billed.usd > usd + 1e-9 || billed.tokens > tokens || billed.calls > calls;
  });
  const note = `of ${runs.length}, ${reached.length} of which were stopped by one`;
  return [
    {
      part: 'money',
      what: 'searches that passed a limit',
      value: passed.length,
      unit: '',
      target: { atMost: 0 },
      note,
    },
  ];
}

function forecastFigures(runs: readonly MoneyRun[]): Figure[] {
  const widest = Math.max(...runs.map(({ said: { usd } }) => (usd?.high ?? 0) / (usd?.low ?? 1)));
  const off = runs.map(({ said: { usd }, whole }) => whole.usd / (usd?.likely ?? 1)).sort((a, b) => a - b);
  const at = (share: number): string => (off[Math.floor(share * (off.length - 1))] ?? 0).toFixed(2);
  const note = `real over likely: ${at(0.05)} in the lowest twentieth, ${at(0.5)} in the middle, ${at(0.95)} in the highest`;
  const whole = runs.filter(({ stopped }) => !stopped.isBudget);
  return [
    shareIn(runs, 'usd', { note, target: { atLeast: 90 } }),
    shareIn(runs, 'tokens', {}),
    shareIn(runs, 'calls', {}),
    shareIn(whole, 'minutes', { note: `of the ${whole.length} that no limit stopped` }),
    { part: 'money', what: 'high over low, widest', value: widest, unit: '×', target: { atMost: 3 } },
  ];
}

function shareIn(
  runs: readonly MoneyRun[],
  what: 'usd' | 'tokens' | 'calls' | 'minutes',
  more: Partial<Figure>,
): Figure {
  const inBand = runs.filter(({ said, whole }) => {
    const band = said[what];
    return band && band.low <= whole[what] && whole[what] <= band.high;
  });
  return {
    part: 'money',
    what: `real ${what} in the forecast's band`,
    value: (100 * inBand.length) / runs.length,
    unit: '%',
    ...more,
  };
}

/** A provider that serves a prefix only once an answer with it has begun: without and with one sibling ahead. */
async function warmingFigures(say: PartOptions['say']): Promise<Figure[]> {
  const tree = { fanout: (_path: string, depth: number) => [6, 5, 5, 4][depth] ?? 0, documentWords: 340 };
  const figures: Figure[] = [];
  for (const slots of [4, 8, 16]) {
    say(`warming, ${slots} slots`);
    const run = async (warmsCache: boolean): Promise<{ ms: number; share: number; prompt: number }> => {
      const clock = new VirtualClock();
      const { model, counted } = warmedModel({ tree, clock, warmsCache });
      const { search } = await simulate({ search: { model, clock, concurrency: slots, limits: { size: 'all' } } });
      const begun = clock.now();
      await clock.run(search.run());
      return { ms: clock.now() - begun, share: (100 * counted.cached) / counted.prompt, prompt: counted.prompt };
    };
    const [without, with_] = [await run(false), await run(true)];
    const note = `${without.share.toFixed(1)} % without; ${(with_.prompt / 1e6).toFixed(2)} million tokens; time ${(with_.ms / without.ms).toFixed(3)}×`;
    figures.push({
      part: 'money',
      what: `prompt tokens from a cache that is warmed, ${slots} slots`,
      value: with_.share,
      unit: '%',
      note,
    });
  }
  return figures;
}
