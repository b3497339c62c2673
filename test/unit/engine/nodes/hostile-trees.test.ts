import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { overviewOf } from '../../../../src/searches/reader/search-overview.ts';
import { openForWriting } from '../../../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../../../src/store/system-ports.ts';
import { growsLinearly } from '../../../support/grows-linearly.ts';
import { simulatedModel } from '../../../support/models/simulated-model.ts';
import { forgeSearch } from '../../../support/searches/forged-search.ts';
import { simulate } from '../../../support/searches/simulated-search.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const node = { title: 'a', slug: 'a', status: 'unexpanded' };

/** A search with one node, and a list of so many children of it that do not exist. */
async function longList(count: number): Promise<string> {
  const folder = join(temporaryFolder('list'), 'why');
  const list = Array.from({ length: count }, (_, i) => ({ title: `t${i}`, slug: `t${i}` }));
  const files = { 'a/node.json': node, 'a/children.json': list, 'children.json': [{ title: 'a', slug: 'a' }] };
  await forgeSearch(folder, { files });
  return folder;
}

describe('a tree that somebody sent', () => {
  it('is read in a time in proportion to its size, however long its lists are', async () => {
    await growsLinearly('a list', 100_000, longList, async (folder) => {
      const { tree, problems } = await overviewOf(KINDS, folder);
      assert.equal(tree.size, 1);
      assert.match(problems[0]?.message ?? '', /only the first 10,000 children/);
    });
  });

  it('makes no more folders from a list than a search has children', async () => {
    const folder = await longList(20_000);
    const store = await openForWriting(folder, { clock: systemClock, random: systemRandom });
    const model = simulatedModel({ tree: scriptedTree(), clock: systemClock });
    const { search } = await simulate({ store, search: { model, clock: systemClock } });
    await search.close();
    assert.ok(readdirSync(join(folder, 'a')).length <= 1003);
    assert.match(store.problems.map(({ message }) => message).join('\n'), /only the first 10,000 children/);
  });

  it('is read down to a depth that no search reaches', async () => {
    const folder = join(temporaryFolder('chain'), 'why');
    await forgeSearch(folder, {});
    const before = process.cwd();
    process.chdir(folder);
    for (let depth = 0; depth < 600; depth++) {
      writeFileSync('children.json', '[{"title":"a","slug":"a"}]');
      mkdirSync('a');
      process.chdir('a');
      writeFileSync('node.json', JSON.stringify({ ...node, status: 'expanded' }));
    }
    process.chdir(before);
    const { tree, problems } = await overviewOf(KINDS, folder);
    assert.equal(tree.size, 128);
    assert.match(problems[0]?.message ?? '', /nothing below it is read/);
  });
});
