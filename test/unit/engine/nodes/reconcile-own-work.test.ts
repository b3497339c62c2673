import assert from 'node:assert/strict';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { QUESTION, type Simulation, simulate } from '../../../support/searches/simulated-search.ts';

const tree = { fanout: (_path: string, depth: number) => [3, 3, 2][depth] ?? 0, documentWords: 5 };

/** A search in memory; `looking` takes in every change of its own files, as somebody who watches the disk does. */
async function run(looking: boolean): Promise<Simulation & { files: MemoryFiles; looks: number }> {
  const files = new MemoryFiles();
  const simulation = await simulate({
    tree,
    store: createMemoryStore(QUESTION, files),
    model: { latencyMs: () => 100 },
    search: { limits: { size: 'all' }, concurrency: 4 },
  });
  const found = { looks: 0 };
  const writeAtomic = files.writeAtomic.bind(files);
  if (looking)
    files.writeAtomic = async (path, text, options) => {
      const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
      const look = (): void => {
        found.looks++;
        void simulation.search.reconcile(folder);
      };
      if (!path.startsWith('.search')) look(); // reads what was there before
      await writeAtomic(path, text, options);
      if (!path.startsWith('.search')) look();
    };
  const outcome = await simulation.run();
  assert.equal(outcome.state, 'finished');
  return { ...simulation, files, ...found };
}

describe('a search that is told of its own writing', () => {
  it('comes to the same tree with the same calls, and finds nothing new in it', async () => {
    const [plain, looked] = [await run(false), await run(true)];
    assert.ok(looked.looks > 100);
    assert.deepEqual(await snapshotOf(looked.files), await snapshotOf(plain.files));
    assert.equal(looked.model.log.length, plain.model.log.length);
    const reconciled = looked.events.filter(({ type }) => type === 'reconciled');
    assert.deepEqual(reconciled, []);
  });
});
