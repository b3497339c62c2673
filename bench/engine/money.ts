import { warmedModel } from '../../test/support/models/warmed-model.ts';
import { type MoneyManner, type MoneyRun, moneyRun, moneyWorkspace } from '../../test/support/searches/money-search.ts';
import { type OpenEndedRun, openEndedRuns } from '../../test/support/searches/open-ended-search.ts';
import { simulate } from '../../test/support/searches/simulated-search.ts';
import { VirtualClock } from '../../test/support/virtual-clock.ts';
import type { Figure, PartOptions } from '../harness/figure.ts';

const SEARCHES_A_WORKSPACE = 10;

/** Searches with random lengths, prices, faults and limits, on 8 slots: their forecasts, and their real cost. */
export async function money({ quick, say }: PartOptions): Promise<Figure[]> {
  const runs: MoneyRun[] = [];
  for (let workspace = 1; workspace <= (quick ? 5 : 100); workspace++) {
    say(`workspace ${workspace}`);
    const where = await moneyWorkspace(workspace);
    for (let n = 0; n < SEARCHES_A_WORKSPACE; n++) runs.push(await moneyRun(where, workspace * 1_000_003 + n));
  }
  const held = [...(await mannerFigures(quick, say)), ...(await openEndedFigures(quick, say))];
  return [...limitFigures(runs), ...forecastFigures(runs), ...held, ...(await warmingFigures(say))];
}

/** Seeds that no figure of the forecasts was chosen by. */
const UNSEEN = 700_001;

const MANNERS: readonly [what: string, how: MoneyManner, before: number][] = [
  ['small', { size: 'small' }, 2],
  ['medium', { size: 'medium' }, 2],
  ['large', { size: 'large' }, 2],
  ['medium, judged', { size: 'medium', isJudged: true }, 2],
  ['medium, resumed', { size: 'medium', isResumed: true }, 2],
  ['medium, with context', { size: 'medium', hasContext: true }, 2],
  ['small, none before', { size: 'small' }, 0],
  ['medium, none before', { size: 'medium' }, 0],
  ['large, none before', { size: 'large' }, 0],
];

/** Forecasts of searches of each size, judged, resumed and with the text of a folder; then of those to the very end. */
async function mannerFigures(quick: boolean, say: PartOptions['say']): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [what, how, before] of MANNERS) {
    say(`forecasts: ${what}`);
    const runs = await runsOf(how, before, quick ? 1 : 16);
    const share = shareIn(runs, 'usd', { note: ratiosOf(runs.map(({ said, whole }) => ratio(whole.usd, said))) });
    figures.push({ ...share, what: `${share.what}: ${what}`, target: { atLeast: 90 } });
  }
  for (const before of [2, 0]) {
    say(`forecasts to the very end, ${before} before`);
    const runs = await runsOf({ size: 'all' }, before, quick ? 1 : 12);
    const used = runs.map(({ said, whole }) => ({ said, usd: whole.usd }));
    figures.push(...atMostFigures(`research to the very end, ${before === 0 ? 'none' : before} before`, used));
  }
  return figures;
}

async function runsOf(how: MoneyManner, before: number, workspaces: number): Promise<MoneyRun[]> {
  const runs: MoneyRun[] = [];
  for (let seed = UNSEEN; seed < UNSEEN + workspaces; seed++) {
    const where = await moneyWorkspace(seed, before, how);
    for (let n = 0; n < 4; n++) runs.push(await moneyRun(where, seed * 101 + n, how));
  }
  return runs;
}

/** Searches that end when they have a solution: the first in a folder, and those after a few others. */
async function openEndedFigures(quick: boolean, say: PartOptions['say']): Promise<Figure[]> {
  say('forecasts of thoughts');
  const folders: OpenEndedRun[][] = [];
  for (let seed = UNSEEN; seed < UNSEEN + (quick ? 4 : 80); seed++) folders.push(await openEndedRuns(seed, 6));
  const first = folders.flatMap((runs) => runs.slice(0, 1));
  const later = folders.flatMap((runs) => runs.slice(3));
  return [...atMostFigures('thoughts, none before', first), ...atMostFigures('thoughts, 3 to 5 before', later)];
}

function atMostFigures(what: string, runs: readonly Pick<OpenEndedRun, 'said' | 'usd'>[]): Figure[] {
  const within = runs.filter(({ said, usd }) => usd <= (said.atMost?.usd ?? 0) + 1e-9);
  const ratios = runs.map(({ said, usd }) => ratio(usd, said)).sort((a, b) => a - b);
  const middle = ratios[Math.floor(ratios.length / 2)] ?? 0;
  const part = 'money';
  const share = (100 * within.length) / runs.length;
  return [
    { part, what: `real usd below "at most": ${what}`, value: share, unit: '%', target: { atLeast: 95 } },
    {
      part,
      what: `median of real over likely: ${what}`,
      value: middle,
      unit: '×',
      note: ratiosOf(ratios),
      target: { atLeast: 0.5 },
    },
  ];
}

function ratio(usd: number, said: MoneyRun['said']): number {
  return usd / (said.usd?.likely ?? 1);
}

function ratiosOf(ratios: readonly number[]): string {
  const sorted = [...ratios].sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2);
  return `real over likely: ${at(0.05)} in the lowest twentieth, ${at(0.5)} in the middle, ${at(0.95)} in the highest`;
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
  const note = ratiosOf(runs.map(({ said, whole }) => ratio(whole.usd, said)));
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

/**
 * Returns a provider that serves a prefix only once an answer with it has begun: without and with one sibling ahead.
 */
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
