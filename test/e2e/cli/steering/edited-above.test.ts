import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DIR, FIRST, SteeredSearch } from './steered-search.ts';

const [A = ''] = FIRST;

interface Status {
  readonly nodes: readonly { readonly path: string; readonly isOlder?: true }[];
}

describe('a document that a person edits above others', () => {
  let search: SteeredSearch;
  after(() => search.remove());

  const older = async (): Promise<string[]> => {
    const { nodes } = await search.json<Status>('status', DIR);
    return nodes.filter(({ isOlder }) => isOlder).map(({ path }) => path);
  };
  const asked = (): number => search.server.log.length;

  it('marks those below it, and a resume says so, without a call', async () => {
    search = await SteeredSearch.make();
    assert.equal((await search.start('--size', 'small', '--max-depth', '2').end).code, 0);
    assert.deepEqual(await older(), []);
    await appendFile(join(search.folder, A, 'document.md'), '\nBut it was otherwise.\n');
    const before = asked();
    const { code, stdout } = await search.run('resume', DIR);
    assert.equal(code, 0);
    assert.match(stdout, /2 documents below ".*" are older than your text of it, and rest on the one before\./);
    assert.equal(asked(), before);
    const marked = await older();
    assert.equal(marked.length, 2);
    assert.ok(marked.every((path) => path.startsWith(`${A}/`)));
    assert.match((await search.run('status', DIR)).stdout, /^Older +2 documents below /m);
  });

  it('marks what is written anew no more', async () => {
    const [first = ''] = await older();
    assert.equal((await search.run('redo', DIR, first)).code, 0);
    const { code, stdout } = await search.run('resume', DIR);
    assert.equal(code, 0);
    assert.match(stdout, /1 document below /);
    assert.equal((await older()).length, 1);
    assert.ok(!(await older()).includes(first));
  });
});
