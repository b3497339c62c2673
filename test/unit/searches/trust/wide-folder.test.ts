import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { whyAskToRead } from '../../../../src/searches/open-search.ts';
import { newFolder, removeFolders } from '../../store/support/places.ts';

describe('a folder whose files models see only if a person agrees', () => {
  afterEach(removeFolders);

  it('is the home folder, one above it, or a whole disk', async () => {
    const home = join(await newFolder(), 'home', 'me');
    const project = join(home, 'project');
    await mkdir(project, { recursive: true });
    const keyOf = async (folder: string): Promise<string | undefined> => (await whyAskToRead(folder, home))?.key;
    assert.equal(await keyOf(home), 'searches.home-folder');
    assert.equal(await keyOf(`${home}/`), 'searches.home-folder');
    assert.equal(await keyOf(dirname(home)), 'searches.home-folder');
    assert.equal(await keyOf(parse(home).root), 'searches.whole-disk');
    assert.equal(await keyOf(project), undefined);
    assert.equal(await keyOf(join(dirname(home), 'me-too')), undefined);
    assert.equal(await keyOf(await newFolder()), undefined);
  });
});
