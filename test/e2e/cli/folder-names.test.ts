import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endsWith, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const LONG = 'Why a suite waits for its hooks although it has a limit of';

describe('the names of folders', () => {
  afterEach(removeSearches);

  it('have at most 40 characters and end with a word; a search that says nothing of it keeps 60', async () => {
    const tree = scriptedTree({
      fanout: (_path, depth) => (depth === 0 ? 2 : 0),
      title: (_path, at) => `${LONG} ${at}`,
    });
    const search = await TestSearch.make({ answer: (call) => tree.answer(call) });
    const { folder } = search;
    await endsWith(0, search.command('start', 'Why?', '--dir', search.folder, '--max-depth', '1'));
    const names = async (): Promise<string[]> =>
      (await readdir(folder)).filter((name) => name.startsWith('why-a-suite')).sort();
    const short = ['why-a-suite-waits-for-its-hooks-2', 'why-a-suite-waits-for-its-hooks-although'];
    assert.deepEqual(await names(), short);
    const file = join(folder, 'search.json');
    const { longestName, ...before } = JSON.parse(await readFile(file, 'utf8'));
    assert.equal(longestName, 40);
    await writeFile(file, JSON.stringify(before));
    await endsWith(0, search.command('add', search.folder, '', `${LONG} mine`));
    assert.deepEqual(await names(), [...short, 'why-a-suite-waits-for-its-hooks-although-it-has-a-limit-of-m']);
  });
});
