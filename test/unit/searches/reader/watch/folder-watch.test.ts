import assert from 'node:assert/strict';
import fs, { mkdirSync, renameSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderWatch } from '../../../../../src/searches/reader/folder-watch.ts';

describe('the watch of a folder', () => {
  let root: string;
  let told: Set<string>;
  let watch: FolderWatch;
  const begin = (folder: string, depth = Number.POSITIVE_INFINITY): void => {
    watch = new FolderWatch(join(root, folder), depth, (path) => told.add(path.slice(root.length + 1)));
  };
  /** Asks again until it is told of; folders are read a little later than they are made. */
  const tells = async (path: string, poke?: () => Promise<void>): Promise<void> => {
    while (!told.has(path)) {
      await poke?.();
      await sleep(5);
    }
    told.clear();
  };
  const tellsOfWriting = (path: string): Promise<void> => tells(path, () => writeFile(join(root, path), 'text'));
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'thought-tree-watch-'));
    told = new Set();
  });
  afterEach(async () => {
    watch.close();
    await rm(root, { recursive: true });
  });

  it('reports files in existing folders', async () => {
    await mkdir(join(root, 'a/b/c'), { recursive: true });
    begin('a');
    await tellsOfWriting('a/b/c/node.json');
  });

  it('reports files in nested folders created in quick succession', async () => {
    for (let round = 0; round < 20; round++) {
      await mkdir(join(root, `a${round}`));
      begin(`a${round}`);
      const deep = `a${round}/b/c/d`;
      await mkdir(join(root, deep), { recursive: true });
      await tells(deep);
      await tellsOfWriting(`${deep}/node.json`);
      watch.close();
    }
  });

  it('waits for a folder to appear, however deep, and to appear again', async () => {
    begin('x/y/z');
    for (const file of ['first.json', 'second.json']) {
      await mkdir(join(root, 'x/y/z/n'), { recursive: true });
      await tells('x/y/z');
      await tellsOfWriting(`x/y/z/n/${file}`);
      await rm(join(root, 'x'), { recursive: true });
      await tells('x/y/z/n');
    }
  });

  it('follows a folder that was deleted and made again', async () => {
    await mkdir(join(root, 'a/b'), { recursive: true });
    begin('a');
    await tellsOfWriting('a/b/node.json');
    await rm(join(root, 'a/b'), { recursive: true });
    await tells('a/b');
    await mkdir(join(root, 'a/b'));
    await tellsOfWriting('a/b/document.md');
  });

  it('follows a folder that was replaced by another', async () => {
    await mkdir(join(root, 'a/b'), { recursive: true });
    await mkdir(join(root, 'other/b'), { recursive: true });
    begin('a');
    await tellsOfWriting('a/b/node.json');
    renameSync(join(root, 'a'), join(root, 'old'));
    renameSync(join(root, 'other'), join(root, 'a'));
    await tells('a');
    await tellsOfWriting('a/b/node.json');
    for (let round = 0; round < 3; round++) {
      rmSync(join(root, 'a'), { recursive: true });
      mkdirSync(join(root, 'a'));
      await tellsOfWriting(`a/${round}.json`);
    }
  });

  it('waits for what it may not watch as if it were missing', async () => {
    const original = fs.watch;
    let refused = 0;
    const refusing = (path: string, ...rest: unknown[]): fs.FSWatcher => {
      if (path !== join(root, 'a') || refused >= 10)
        return (original as (...all: unknown[]) => fs.FSWatcher)(path, ...rest);
      refused++;
      throw new Error('EACCES');
    };
    await mkdir(join(root, 'a'));
    try {
      fs.watch = refusing as typeof fs.watch;
      syncBuiltinESMExports();
      begin('a');
      assert.ok(refused > 0 && refused < 5, `${refused} tries`);
      refused = 10;
      await rm(join(root, 'a'), { recursive: true });
      await mkdir(join(root, 'a'));
      await tellsOfWriting('a/node.json');
    } finally {
      fs.watch = original;
      syncBuiltinESMExports();
    }
  });

  it('goes no deeper than requested, and skips names that begin with a dot', async () => {
    await mkdir(join(root, 'a/b/c'), { recursive: true });
    await mkdir(join(root, 'a/.search'), { recursive: true });
    begin('a', 1);
    await writeFile(join(root, 'a/.search/journal.jsonl'), '{}');
    await writeFile(join(root, 'a/b/c/node.json'), '{}');
    await tellsOfWriting('a/b/node.json');
    await writeFile(join(root, 'a/.search/journal.jsonl'), '{"seq":1}');
    await writeFile(join(root, 'a/b/c/node.json'), '{"status":"leaf"}');
    await writeFile(join(root, 'a/last.json'), '{}');
    await tells('a/last.json', async () => assert.ok([...told].every((path) => path === 'a/last.json')));
  });
});
