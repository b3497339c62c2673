import assert from 'node:assert/strict';
import type { Model } from '../../../src/core/ports/model.ts';
import type { Outcome } from '../../../src/engine/loop.ts';
import { createMemoryStore, MemoryFiles } from '../../support/memory-store.ts';
import {
  QUESTION,
  type Simulation,
  type SimulationOptions,
  simulate,
} from '../../support/searches/simulated-search.ts';

const tree = { fanout: (_path: string, depth: number) => [4, 2][depth] ?? 0 };
const limits = { size: 'all' as const, guards: { usd: 5 } };
let runs = 0;

function open(files: MemoryFiles, options: SimulationOptions): Promise<Simulation> {
  return simulate({ tree, store: createMemoryStore(QUESTION, files), seed: ++runs, ...options });
}

/** Runs a search whose process dies after so many events. */
async function killed(files: MemoryFiles, events: number, options: SimulationOptions): Promise<Simulation> {
  const simulation = await open(files, options);
  const dead = new Promise<void>((resolve) => {
    let left = events;
    simulation.search.listen(() => {
      if (--left === 0) resolve();
    });
  });
  await Promise.race([simulation.run(), dead.then(() => new Promise(setImmediate))]);
  simulation.clock.stop();
  return simulation;
}

describe('a search whose process was killed during calls', () => {
  const price = { prompt: 1, cached: 0.1, completion: 5 };
  const priced = { model: { price, latencyMs: () => 100 }, search: { limits, concurrency: 8 } };

  it('is finished with what these calls may have cost', async () => {
    const files = new MemoryFiles();
    const { search: dead } = await killed(files, 40, priced);
    const underWay = dead.record.ledger.underWay;
    assert.ok(underWay > 2, `${underWay} under way`);
    const { calls, worstCase, usd } = dead.record.ledger.spendAtWorst;
    const { search, events, clock } = await open(files, priced);
    await clock.run(search.finish());
    const finished = events.find((event) => event.type === 'search-finished');
    assert.ok(finished && 'results' in finished);
    assert.ok(finished.results.calls >= calls, `${finished.results.calls} calls of ${calls}`);
    assert.ok(finished.results.tokens.worstCase >= worstCase);
    assert.ok((finished.results.usd ?? 0) >= usd);
    assert.ok(await files.read('report.md'));
  });

  it('is finished, and gets its report, if the first call of a model without a price was among them', async () => {
    const files = new MemoryFiles();
    const whole = await open(files, priced);
    const outcome: Outcome = await whole.run();
    assert.equal(outcome.state, 'finished');
    await whole.search.close();
    files.dropFile('report.md');
    const unpriced = (generate: Model['generate']): SimulationOptions => {
      const model = { name: 'simulated/other', label: 'Other', free: false, generate };
      return { search: { limits, concurrency: 8, model } };
    };
    const again = await open(
      files,
      unpriced(() => new Promise(() => undefined)),
    );
    await again.search.act({ action: 'add', title: 'One more' }, 'test');
    void again.run().catch(() => undefined);
    for (let turn = 0; turn < 500 && again.search.record.ledger.underWay === 0; turn++) await new Promise(setImmediate);
    assert.ok(again.search.record.ledger.underWay > 0, 'no call is under way');
    again.clock.stop();
    const answer = { text: 'What is known.', finish: 'stop' as const };
    const { search, clock } = await open(
      files,
      unpriced(async () => ({ ...answer, usage: { prompt: 1, cached: 0, completion: 1, usd: 0.01 } })),
    );
    await clock.run(search.finish());
    assert.ok(await files.read('report.md'));
    assert.equal(search.state, 'finished');
  });
});
