import assert from 'node:assert/strict';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { researchDescriptor } from '../../../../src/kinds/research/descriptor.ts';
import { SearchReader } from '../../../../src/searches/reader/search-reader.ts';
import { detailsOf } from '../../../../src/searches/search-graph.ts';
import { sharedSample } from '../../../support/searches/shared-sample.ts';

describe('the details of a node', () => {
  it('have its siblings beside it, the best first, and none where there is nothing to compare', async () => {
    const { folder, workspace } = await sharedSample();
    const search = await SearchReader.read({ folder, workspace });
    const titles = async (path: string): Promise<unknown> =>
      (await detailsOf(search, KINDS, path, ({ text }) => text)).beside?.map(({ title, score }) => [title, score]);
    assert.deepEqual(await titles('tests'), [
      ['The cache is never hit', 8.5],
      ['The tests run one after the other', 5],
    ]);
    const judged = async (): Promise<unknown> =>
      (await detailsOf(search, KINDS, 'tests', ({ text }) => text)).beside?.map(({ judge }) => judge);
    const purpose = Object.entries(researchDescriptor.purposes).find(([, { judged }]) => judged)?.[0] ?? 'evaluate';
    const call = { purpose, model: 'some/judge', outcome: 'ok' };
    search.callsOf = async (path) => (path === 'cache' ? ([call] as never) : []);
    assert.deepEqual(await judged(), ['some/judge', undefined]);
    assert.equal(await titles('cache/key'), undefined, 'it is the only one with a score');
    assert.equal(await titles(''), undefined);
  });
});
