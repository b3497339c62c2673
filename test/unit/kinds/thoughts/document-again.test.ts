import assert from 'node:assert/strict';
import { MemoryFiles } from '../../../../src/store/files/memory-files.ts';
import { createMemoryStore } from '../../../../src/store/memory-store.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import {
  simulateThoughts,
  type ThoughtSimulationOptions,
  thoughtFile,
} from '../../../support/searches/simulated-thoughts.ts';

const ALIKE =
  'Write the sum of all numbers on the left, then the product of all others on the right, and compare both of them, '.repeat(
    2,
  );

const given: ThoughtSimulationOptions = {
  strategy: 'breadth-first',
  options: { candidates: 3, beam: 1, maxDepth: 2, threshold: 0 },
  model: {
    thoughts: (path) => ['first', 'second', 'third'].map((end) => ({ content: `${ALIKE}${path.length} ${end}` })),
  },
};

describe('thoughts that begin alike', () => {
  it('get their own documents back after a loss of power', async () => {
    const files = new MemoryFiles();
    const store = createMemoryStore(thoughtFile(given), files);
    const { run, search } = await simulateThoughts({ ...given, store });
    await run();
    await search.close();
    const whole = await snapshotOf(files);
    const documents = Object.keys(whole).filter((path) => path.endsWith('document.md'));
    assert.ok(documents.length >= 6);
    for (const path of documents) files.put(path, '');
    const right = { check: () => undefined, release: async () => undefined, lastEnd: 'power-loss' as const };
    await simulateThoughts({ ...given, store: new SearchStore(files, right), seed: 2 });
    assert.deepEqual(await snapshotOf(files), whole);
  });
});
