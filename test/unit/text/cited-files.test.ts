import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { CitedFiles } from '../../../src/text/files/cited-files.ts';
import { effort } from '../../support/effort.ts';
import { makeWorkspace, removeWorkspaces } from '../../support/quotes/quotes-workspace.ts';

const FIFO = 'mkfifo';
const SECRET = 'the words outside';
const SEARCH = JSON.stringify({ version: 1, kind: 'research', title: 'A', prompt: 'A?' });

describe('files that documents cite', () => {
  let outside: string;
  let folder: string;
  let files: CitedFiles;
  before(() => {
    outside = makeWorkspace({ 'secret.txt': SECRET });
    folder = makeWorkspace({
      'src/a.ts': 'const a = 1;\n',
      'src/b c#d%20.ts': 'const b = 2;\n',
      '.gitignore': 'ignored.txt\nbuild/\n',
      'ignored.txt': 'ignored',
      'build/out.js': 'built',
      '.env': 'KEY=1',
      'keys/id_rsa': 'key',
      'image.bin': new Uint8Array([1, 0, 2]),
      'big.txt': 'word '.repeat(500_000),
      'thought-trees/one/document.md': 'a document',
      'other/search.json': SEARCH,
      'other/children.json': '[]',
      'other/topic/document.md': 'a document of a search',
      'CHANGELOG.md': '# Changes\n',
    });
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'));
    symlinkSync(outside, join(folder, 'linked'));
    symlinkSync(join(folder, 'ignored.txt'), join(folder, 'src/allowed.txt'));
    symlinkSync(join(folder, 'src'), join(folder, 'sources'));
    symlinkSync('loop', join(folder, 'loop'));
    if (process.platform !== 'win32') execFileSync(FIFO, [join(folder, 'pipe')]);
    files = new CitedFiles(folder);
  });
  after(removeWorkspaces);

  it('are read in the workspace, even with odd names, and through links that stay inside', async () => {
    assert.deepEqual(await files.read('src/a.ts'), { text: 'const a = 1;\n', secrets: 0 });
    assert.deepEqual(await files.read('src/b c#d%20.ts'), { text: 'const b = 2;\n', secrets: 0 });
    assert.deepEqual(await files.read('./src/./a.ts'), { text: 'const a = 1;\n', secrets: 0 });
    assert.deepEqual(await files.read('sources/a.ts'), { text: 'const a = 1;\n', secrets: 0 });
    assert.deepEqual(await files.read('CHANGELOG.md'), { text: '# Changes\n', secrets: 0 });
  });

  it('are found by their names', async () => {
    assert.deepEqual(await files.named('a.ts'), ['src/a.ts']);
    for (const name of ['out.js', 'ignored.txt', '.env', 'nowhere.ts', '', '../a.ts'])
      assert.deepEqual(await files.named(name), [], name);
  });

  it('are read if they were created a moment ago', async () => {
    await files.read('src/a.ts');
    await new Promise((resolve) => setTimeout(resolve, 250));
    writeFileSync(join(folder, 'src/new.ts'), 'new');
    assert.deepEqual(await files.read('src/new.ts'), { text: 'new', secrets: 0 });
  });

  for (const [path, unreadable] of [
    ['../x', 'outside'],
    ['src/../../secret.txt', 'outside'],
    ['src/../src/a.ts', 'outside'],
    ['/etc/passwd', 'outside'],
    ['C:\\Windows\\win.ini', 'outside'],
    ['c:/windows/win.ini', 'outside'],
    ['..\\secret.txt', 'outside'],
    ['\\\\server\\share', 'outside'],
    ['', 'outside'],
    ['.', 'outside'],
    ['src/a.ts\0.png', 'outside'],
    ['a'.repeat(5000), 'outside'],
    ['link.txt', 'outside'],
    ['linked/secret.txt', 'outside'],
    ['loop', 'missing'],
    ['src', 'ignored'],
    ['none.ts', 'missing'],
    ['src/a.ts/b', 'missing'],
    ['ignored.txt', 'ignored'],
    ['build/out.js', 'ignored'],
    ['src/allowed.txt', 'ignored'],
    ['.env', 'ignored'],
    ['keys/id_rsa', 'ignored'],
    ['thought-trees/one/document.md', 'ignored'],
    ['other/topic/document.md', 'ignored'],
    ['image.bin', 'not-text'],
    ['big.txt', 'too-large'],
    ...(process.platform === 'win32' ? [] : [['pipe', 'ignored'] as const]),
  ] as const)
    it(`are refused as ${unreadable}: ${JSON.stringify(path.slice(0, 60))}`, async () => {
      const found = await files.read(path);
      assert.ok('unreadable' in found, JSON.stringify(found).slice(0, 100));
      assert.equal(found.unreadable, unreadable);
    });

  it('are never outside, whatever the path says', async () => {
    const step = fc.constantFrom(
      '..',
      '.',
      '',
      'src',
      'linked',
      'link.txt',
      'secret.txt',
      'sources',
      '%2e%2e',
      '~',
      outside,
      tmpdir(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const found = await files.read(steps.join('/'));
        assert.ok(!('text' in found) || !found.text.includes(SECRET));
      }),
      { numRuns: effort(300) },
    );
  });

  it('are listed once more at most for a document that cites many that are left out, however slow that is', async () => {
    const large = makeWorkspace({
      'a.txt': 'a',
      ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`out/${at}.txt`, 'x'])),
    });
    let lists = 0;
    const cited = new CitedFiles(large, [], undefined, async () => {
      lists++;
      await new Promise((resolve) => setTimeout(resolve, 250));
      return new Set(['a.txt']);
    });
    assert.deepEqual(await cited.read('a.txt'), { text: 'a', secrets: 0 });
    await new Promise((resolve) => setTimeout(resolve, 250));
    for (let at = 0; at < 20; at++) assert.deepEqual(await cited.read(`out/${at}.txt`), { unreadable: 'ignored' });
    assert.ok(lists <= 2, String(lists));
  });

  it('are listed by git where there is one, and a workspace that went away is missing', async () => {
    const repository = makeWorkspace({ 'a.txt': 'a', 'b.txt': 'b', '.git/info/exclude': '' });
    execFileSync('git', ['init', '-q'], { cwd: repository });
    mkdirSync(join(repository, '.git/info'), { recursive: true });
    writeFileSync(join(repository, '.git/info/exclude'), 'b.txt\n');
    const cited = new CitedFiles(repository);
    assert.deepEqual(await cited.read('a.txt'), { text: 'a', secrets: 0 });
    assert.deepEqual(await cited.read('b.txt'), { unreadable: 'ignored' });
    assert.deepEqual(await cited.read('.git/config'), { unreadable: 'ignored' });
    renameSync(repository, `${repository}-gone`);
    assert.deepEqual(await cited.read('a.txt'), { unreadable: 'missing' });
    renameSync(`${repository}-gone`, repository);
  });
});
