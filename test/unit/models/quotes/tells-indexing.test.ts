import assert from 'node:assert/strict';
import { tellsIndexing } from '../../../../src/models/quotes/quotes-model.ts';

describe('telling how far a workspace is read', () => {
  it('says nothing of what is done at once, and then something once a second', () => {
    let now = 0;
    const said: string[] = [];
    const tell = tellsIndexing(
      ({ text }) => said.push(text),
      () => now,
    );
    for (; now <= 3000; now += 100) tell({ done: 10 * now, files: 59_000 });
    assert.deepEqual(said, [
      'Indexing: 10,000 of 59,000 files.',
      'Indexing: 20,000 of 59,000 files.',
      'Indexing: 30,000 of 59,000 files.',
    ]);
  });
});
