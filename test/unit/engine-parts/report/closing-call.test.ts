import assert from 'node:assert/strict';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles } from '../../../support/crashing-files.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { QUESTION, type Simulation, simulate } from '../../../support/searches/simulated-search.ts';

const right = { check: () => undefined, release: async () => undefined };
let runs = 0;

function emptyFiles(): MemoryFiles {
  const files = new MemoryFiles();
  createMemoryStore(QUESTION, files);
  return files;
}

async function runOn(files: MemoryFiles, crashAt?: number, made = false): Promise<Simulation & { changes: number }> {
  const crashing = new CrashingFiles(files, crashAt, made);
  let simulation: Simulation | undefined;
  const work = async (): Promise<void> => {
    simulation = await simulate({
      tree: { fanout: (_path, depth) => [2, 1][depth] ?? 0 },
      store: new SearchStore(crashing, right),
      search: { limits: { size: 'all' } },
      seed: ++runs,
    });
    await simulation.run();
  };
  await crashing.ended(work());
  if (crashAt !== undefined) simulation?.clock.stop();
  return { ...(simulation as Simulation), changes: crashing.changes };
}

const openings = ({ model }: Simulation): number => model.log.filter(({ purpose }) => purpose === 'synthesize').length;
const isKept = (files: MemoryFiles): Promise<boolean> =>
  files.list('.search/conversations').then((all) => all.some(({ name }) => name.startsWith('report-')));

describe('the opening of a report', () => {
  it('is not asked for again after a kill before the end, once it is kept', async () => {
    const whole = emptyFiles();
    const { changes } = await runOn(whole);
    const expected = await snapshotOf(whole);
    let kept = 0;
    for (let at = 2 * changes - 24; at < 2 * changes; at++) {
      const crashAt = Math.ceil(at / 2);
      const files = emptyFiles();
      const first = await runOn(files, crashAt, at % 2 === 0);
      const wasKept = await isKept(files);
      const second = await runOn(files);
      assert.deepEqual(await snapshotOf(files), expected);
      if (wasKept) assert.equal(openings(first) + openings(second), 1, `killed at change ${crashAt} of ${changes}`);
      if (wasKept && crashAt < changes) kept++;
    }
    assert.ok(kept >= 2, `it was kept ${kept} times before the end`);
  });

  it('is asked for again where a person wants the report rewritten', async () => {
    const { search, clock, ...rest } = await runOn(emptyFiles());
    for (const _time of [1, 2]) await clock.run(search.act({ action: 'report' }, 'test'));
    assert.equal(openings({ search, clock, ...rest }), 3);
  });
});
