import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CacheFolder, cachePath } from '../../../../src/text/index/cache-folder.ts';
import type { FolderWords } from '../../../../src/text/index/folder-index.ts';
import { FolderIndex } from '../../../../src/text/index/folder-index.ts';
import { WorkspaceIndexes } from '../../../../src/text/index/workspace-indexes.ts';
import { termOf } from '../../../../src/text/words/terms.ts';
import { makeWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';

const LONG_AGO = new Date('2020-01-01');
const FILES = {
  'src/queue.ts': 'export function enqueue() {}\n',
  'src/timer.ts': 'export const timeout = 1;\n',
  'README.md': '# Marmalade\n',
};

/** A workspace whose files were written long ago: new ones are always read again for a while. */
function oldWorkspace(files: Record<string, string | Uint8Array> = FILES): string {
  const workspace = makeWorkspace(files);
  for (const path of Object.keys(files)) utimesSync(join(workspace, path), LONG_AGO, LONG_AGO);
  return workspace;
}

function term(word: string): string {
  return termOf(word) ?? word;
}

function present(words: FolderWords, ...asked: string[]): boolean[] {
  return asked.map((word) => words.present(term(word)));
}

describe('the kept index of a folder', () => {
  let path: string;
  let cache: CacheFolder;

  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'kept-'));
    cache = CacheFolder.open(path) as CacheFolder;
  });
  afterEach(() => rmSync(path, { recursive: true, force: true }));
  after(removeWorkspaces);

  /** Reads in a new process, as it were; what had to be read because it was not kept or changed. */
  async function read(workspace: string): Promise<{ words: FolderWords; scanned: number }> {
    const index = new FolderIndex(workspace, { cache });
    let [first, last] = [-1, 0];
    const words = await index.read({
      onProgress: ({ done }) => {
        if (first < 0) first = done;
        last = done;
      },
    });
    await index.saved();
    return { words, scanned: first < 0 ? 0 : last - first };
  }

  function keptFiles(): string[] {
    return readdirSync(join(path, 'indexes')).filter((name) => name !== 'salt');
  }

  it('knows which words are in how many files, by text and by path', async () => {
    const { words } = await read(oldWorkspace());
    assert.deepEqual(present(words, 'timeout', 'marmalade', 'queue', 'giraffe'), [true, true, true, false]);
    assert.equal(words.frequency(term('src')), 2);
    assert.equal(words.fileCount, 3);
  });

  it('reads nothing again that did not change', async () => {
    const workspace = oldWorkspace();
    const first = await read(workspace);
    assert.equal(first.scanned, 3);
    const again = await read(workspace);
    assert.equal(again.scanned, 0);
    assert.deepEqual(present(again.words, 'timeout', 'giraffe'), [true, false]);
    assert.deepEqual(again.words.paths, first.words.paths);
  });

  it('sees a file that is new, changed, or gone', async () => {
    const workspace = oldWorkspace();
    await read(workspace);
    writeFileSync(join(workspace, 'src/giraffe.ts'), 'export const neck = 1;\n');
    writeFileSync(join(workspace, 'src/timer.ts'), 'export const deadline = 1;\n');
    rmSync(join(workspace, 'README.md'));
    const { words, scanned } = await read(workspace);
    assert.equal(scanned, 2);
    assert.deepEqual(present(words, 'giraffe', 'neck', 'deadline', 'timeout', 'marmalade'), [
      true,
      true,
      true,
      false,
      false,
    ]);
    assert.deepEqual(words.paths, ['src/giraffe.ts', 'src/queue.ts', 'src/timer.ts']);
  });

  it('sees a change that leaves the size as it was', async () => {
    const workspace = oldWorkspace();
    await read(workspace);
    writeFileSync(join(workspace, 'src/timer.ts'), 'export const giraffe = 1;\n');
    const changed = await read(workspace);
    assert.deepEqual(present(changed.words, 'giraffe', 'timeout'), [true, false]);
    // And once more at once, when even the time may be the same.
    writeFileSync(join(workspace, 'src/timer.ts'), 'export const zebraxx = 1;\n');
    const again = await read(workspace);
    assert.deepEqual(present(again.words, 'zebraxx', 'giraffe'), [true, false]);
  });

  it('sees a change whose time was set back', async () => {
    const workspace = oldWorkspace();
    await read(workspace);
    writeFileSync(join(workspace, 'src/timer.ts'), 'export const giraffe = 1;\n');
    utimesSync(join(workspace, 'src/timer.ts'), LONG_AGO, LONG_AGO);
    assert.deepEqual(present((await read(workspace)).words, 'giraffe'), [true]);
  });

  it('is the same for a file that was only touched', async () => {
    const workspace = oldWorkspace();
    const before = (await read(workspace)).words;
    utimesSync(join(workspace, 'src/timer.ts'), new Date('2021-01-01'), new Date('2021-01-01'));
    const { words, scanned } = await read(workspace);
    assert.equal(scanned, 1);
    assert.equal(words.contentOf(2), before.contentOf(2));
    assert.equal((await read(workspace)).scanned, 0);
  });

  it('makes a damaged or foreign one anew', async () => {
    const workspace = oldWorkspace();
    await read(workspace);
    const file = join(path, 'indexes', keptFiles()[0] as string);
    const whole = readFileSync(file);
    for (let place = 0; place < whole.length; place += 7) {
      const damaged = Buffer.from(whole);
      damaged[place] = (damaged[place] as number) ^ 0x41;
      for (const bytes of [damaged, whole.subarray(0, place)]) {
        writeFileSync(file, bytes);
        const { words, scanned } = await read(workspace);
        assert.equal(scanned, 3, `at ${place}`);
        assert.deepEqual(present(words, 'timeout', 'giraffe'), [true, false]);
      }
    }
  });

  it('survives being deleted at any moment', async () => {
    const workspace = oldWorkspace();
    const index = new FolderIndex(workspace, { cache });
    await index.read();
    // It is being written to.
    rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 5 });
    await index.saved();
    writeFileSync(join(workspace, 'src/new.ts'), 'export const giraffe = 1;\n');
    assert.deepEqual(present(await index.read(), 'giraffe', 'timeout'), [true, true]);
    await index.saved();
  });

  it('holds no word of the files, and is for its user alone', async function () {
    const workspace = oldWorkspace();
    await read(workspace);
    for (const name of keptFiles()) {
      const text = readFileSync(join(path, 'indexes', name))
        .toString('latin1')
        .toLowerCase();
      for (const word of ['enqueue', 'timeout', 'marmalade']) assert.ok(!text.includes(word), word);
    }
    if (process.platform === 'win32') this.skip();
    assert.equal(statSync(join(path, 'indexes')).mode & 0o777, 0o700);
    for (const name of readdirSync(join(path, 'indexes')))
      assert.equal(statSync(join(path, 'indexes', name)).mode & 0o777, 0o600, name);
  });

  it('is hashed with another salt for another user', async () => {
    const workspace = oldWorkspace();
    await read(workspace);
    const other = mkdtempSync(join(tmpdir(), 'kept-'));
    try {
      const { salt } = CacheFolder.open(other) as CacheFolder;
      assert.notDeepEqual(salt, cache.salt);
      assert.deepEqual(CacheFolder.open(path)?.salt, cache.salt, 'and the same for the same');
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });

  it('is bounded in all: the folder asked about longest ago goes first', async () => {
    const small = CacheFolder.open(path, 3000) as CacheFolder;
    await small.write('a', [Buffer.alloc(1400)]);
    utimesSync(join(path, 'indexes', 'a'), LONG_AGO, LONG_AGO);
    await small.write('b', [Buffer.alloc(1400)]);
    small.read('a');
    utimesSync(join(path, 'indexes', 'b'), LONG_AGO, LONG_AGO);
    await small.write('c', [Buffer.alloc(1400)]);
    assert.deepEqual(keptFiles().sort(), ['a', 'c']);
    assert.equal(await small.write('d', [Buffer.alloc(5000)]), false);
    assert.deepEqual(keptFiles().sort(), ['a', 'c']);
  });

  it('does without if its folder cannot be made', async () => {
    writeFileSync(join(path, 'file'), '');
    assert.equal(CacheFolder.open(join(path, 'file')), undefined);
    const words = await new FolderIndex(oldWorkspace(), { cache: null }).read();
    assert.deepEqual(present(words, 'timeout'), [true]);
  });

  it('takes back a folder that others could read', function () {
    if (process.platform === 'win32') this.skip();
    chmodSync(join(path, 'indexes'), 0o755);
    assert.ok(CacheFolder.open(path));
    assert.equal(statSync(join(path, 'indexes')).mode & 0o777, 0o700);
  });

  it('counts what is skipped, by reason', async () => {
    const workspace = oldWorkspace({
      ...FILES,
      'a.ts': new Uint8Array([97, 0, 98]),
      'logo.png': 'png',
      'b.ts': '// Code generated by a tool. DO NOT EDIT.\n',
      'large.ts': 'let a = 1;\n'.repeat(250_000),
      'package-lock.json': '{}',
      'test/fixtures/a.js': 'a();\n',
      '.env': 'A=1',
      'minified.js': `${'a();'.repeat(3000)}\n`,
      // Long in bytes, but not in characters.
      'umlauts.txt': `${'ä'.repeat(200)}\n`.repeat(50),
    });
    const { words } = await read(workspace);
    const skipped = words.skipped.map(({ reason, count, examples }) => `${reason} ${count}: ${examples.join(', ')}`);
    assert.deepEqual(skipped, [
      'binary 2: logo.png, a.ts',
      'generated 2: b.ts, minified.js',
      'lock 1: package-lock.json',
      'secret 1: .env',
      'test-data 1: test/fixtures/a.js',
      'too-large 1: large.ts',
    ]);
    assert.equal(words.fileCount, 4);
    assert.deepEqual(present(words, 'png', 'tool'), [false, false]);
  });

  it('reads UTF-16, also where it does not say so, and the old encoding of Western Europe', async () => {
    const workspace = oldWorkspace({
      'little.txt': Buffer.from('\uFEFFgiraffe\n', 'utf16le'),
      'big.txt': Buffer.from('\uFEFFokapi\n', 'utf16le').swap16(),
      'plain.txt': Buffer.from('zebra\n', 'utf16le'),
      'old.txt': Buffer.from('käfer\n', 'latin1'),
      'none.txt': Buffer.from([0, 1, 2, 0, 0, 3, 4, 0]),
    });
    const { words } = await read(workspace);
    assert.deepEqual(present(words, 'giraffe', 'okapi', 'zebra', 'käfer'), [true, true, true, true]);
    assert.deepEqual(
      words.skipped.map(({ reason, examples }) => [reason, ...examples]),
      [['binary', 'none.txt']],
    );
    const { files } = await new WorkspaceIndexes(workspace, { cache: null }).of({ question: 'giraffe' });
    assert.deepEqual(files.map(({ lines }) => lines[0]).sort(), ['giraffe', 'käfer', 'okapi', 'zebra']);
  });

  it('tells how far it is, can be stopped, and begins again', async () => {
    const files = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`src/f${i}.ts`, `const word${i} = 1;\n`]));
    const workspace = oldWorkspace({ ...files, 'src/last.ts': 'giraffe\n' });
    const index = new FolderIndex(workspace, { cache });
    const stop = new AbortController();
    const seen: number[] = [];
    const stopped = index.read({
      signal: stop.signal,
      onProgress: ({ done, files: all }) => {
        assert.equal(all, 1501);
        seen.push(done);
        if (done > 0) stop.abort();
      },
    });
    await assert.rejects(stopped, { name: 'AbortError' });
    assert.equal(seen[0], 0);
    assert.ok((seen.at(-1) as number) < 1501, 'it did not read on');
    const done: number[] = [];
    const words = await index.read({ onProgress: (progress) => done.push(progress.done) });
    assert.equal(done.at(-1), 1501);
    assert.deepEqual(
      done,
      done.toSorted((a, b) => a - b),
    );
    assert.deepEqual(present(words, 'giraffe'), [true]);
    await index.saved();
  });
});

describe('the folder of kept indexes', () => {
  it('is where the system keeps what can be made again', () => {
    const home = (): string => '/home/me';
    assert.equal(cachePath({}, 'linux', home), '/home/me/.cache/thought-tree');
    assert.equal(cachePath({ XDG_CACHE_HOME: '/x' }, 'linux', home), '/x/thought-tree');
    assert.equal(cachePath({ XDG_CACHE_HOME: 'x' }, 'linux', home), '/home/me/.cache/thought-tree');
    assert.equal(cachePath({ THOUGHT_TREE_CACHE: '/own', XDG_CACHE_HOME: '/x' }, 'linux', home), '/own');
    assert.equal(cachePath({}, 'darwin', home), '/home/me/Library/Caches/thought-tree');
    assert.equal(
      cachePath({}, 'linux', () => {
        throw new Error('nobody');
      }),
      undefined,
    );
  });
});
