import assert from 'node:assert/strict';
import type { Price } from '../../../../src/core/ports/model.ts';
import { effort, forEverySeed } from '../../../support/effort.ts';
import { randomModel } from '../../../support/models/random-model.ts';
import { forecastOf, type MoneyRun, moneyRun, moneyWorkspace } from '../../../support/searches/money-search.ts';
import { simulate } from '../../../support/searches/simulated-search.ts';
import { seededRandom, VirtualClock } from '../../../support/virtual-clock.ts';

const WORKSPACES = 8;
const SEARCHES = effort(10);

// A thousand of them run in the benchmark (`bench/engine/money.ts`).
describe('searches with prices, lengths and limits by chance, on 8 slots', () => {
  const runs: MoneyRun[] = [];
  before(async () => {
    for (let workspace = 1; workspace <= WORKSPACES; workspace++) {
      const where = await moneyWorkspace(workspace);
      for (let n = 0; n < SEARCHES; n++) runs.push(await moneyRun(where, workspace * 1_000_003 + n));
    }
  });

  it('pass no limit, by no cent, no token and no call', () => {
    assert.ok(runs.filter(({ stopped }) => stopped.isBudget).length > runs.length / 4, 'limits are reached');
    for (const { stopped } of runs) {
      const { billed, guards } = stopped;
      assert.ok(billed.usd <= (guards.usd ?? 0) + 1e-9, `${billed.usd} of ${guards.usd}`);
      assert.ok(billed.tokens <= (guards.tokens ?? 0));
      assert.ok(billed.calls <= (guards.calls ?? 0));
    }
  });

  it('are never counted for less than they cost', () => {
    for (const { whole, counted } of runs) assert.ok(counted >= whole.usd - 1e-9);
  });

  it('cost what was forecast in nine cases of ten, within three times from low to high', () => {
    const inBand = runs.filter(({ said: { usd }, whole }) => usd && usd.low <= whole.usd && whole.usd <= usd.high);
    assert.ok(inBand.length >= 0.9 * runs.length, `${inBand.length} of ${runs.length}`);
    for (const { said } of runs) assert.ok(said.usd && said.usd.high <= 3 * said.usd.low + 1e-9);
  });
});

describe('a limit of money for a model whose price nobody knows', () => {
  const reports: Price = { prompt: 2, cached: 0.2, completion: 8 };
  const manner = { document: 400, fanout: [10, 4, 3, 2], spread: 0.3, pace: 10 };

  it('holds all the same where its server says what answers cost', async () => {
    await forEverySeed(20, async (seed) => {
      const clock = new VirtualClock();
      const random = seededRandom(seed);
      const model = randomModel({ manner, random: random.next, clock, reports });
      const guards = { usd: 0.05 + 0.3 * random.next() };
      const limits = { size: 'large', guards } as const;
      const { search } = await simulate({ search: { model, clock, random, concurrency: 8, limits }, seed });
      const outcome = await clock.run(search.run());
      assert.deepEqual([outcome.state, outcome.reason], ['paused', 'budget']);
      assert.ok(model.billed.usd <= guards.usd, `${model.billed.usd} of ${guards.usd}`);
      assert.ok(outcome.results.usd > 0);
    });
  });
});

describe('a forecast', () => {
  it('is a guess of the widest kind where no search was run, and narrower with each one', async () => {
    const widths: number[] = [];
    for (const searches of [0, 1, 4]) {
      const { usd } = forecastOf(await moneyWorkspace(7, searches));
      widths.push((usd?.high ?? 0) / (usd?.low ?? 1));
    }
    assert.ok(Math.abs((widths[0] ?? 0) - 4) < 1e-9);
    assert.ok((widths[0] ?? 0) > (widths[1] ?? 0) && (widths[1] ?? 0) >= (widths[2] ?? 0), widths.join(' '));
  });
});
