import assert from 'node:assert/strict';
import { foreign } from '../../../../src/core/messages/message.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';

describe('a call', () => {
  it('is not made where the search was taken over while its start was being written', async () => {
    const files = new MemoryFiles();
    await createMemoryStore(QUESTION, files);
    const check = (): void => {
      if (files.readNow('.search/journal.jsonl')?.includes('"call-started"'))
        throw new ThoughtTreeError('lease-lost', foreign({ text: 'Another process has taken this search over.' }));
    };
    const store = new SearchStore(files, { check, release: async () => undefined });
    const { model, run } = await simulate({ store });
    await assert.rejects(run(), (error) => isThoughtTreeError(error, 'lease-lost'));
    assert.deepEqual(model.log, []);
  });
});
