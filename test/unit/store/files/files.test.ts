import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Files } from '../../../../src/store/files/files.ts';
import { effort } from '../../../support/effort.ts';
import { PLACES, removeFolders } from '../support/places.ts';

const refuse = { beforeCommit: () => assert.fail('refused') };

for (const { name, open } of PLACES)
  describe(`files ${name}`, () => {
    let files: Files;
    beforeEach(async () => {
      files = await open();
    });
    after(removeFolders);

    const namesIn = async (folder: string): Promise<string[]> =>
      (await files.list(folder))
        .map((entry) => `${entry.name} ${entry.kind}`)
        .filter((entry) => entry !== '.search folder')
        .sort();

    it('return nothing for missing files', async () => {
      assert.equal(await files.read('a.txt'), undefined);
      assert.equal(await files.read('a/b/c.txt'), undefined);
      assert.equal(files.readNow('a.txt'), undefined);
      assert.equal(files.existsNow('a.txt'), false);
      assert.equal(await files.stat('a/b'), undefined);
      assert.deepEqual(await files.list('a'), []);
      assert.equal((await files.readBytes('a', 0, 10)).length, 0);
      await files.remove('a');
      await files.remove('a/b');
      await files.flush('a');
    });

    it('replace a file as a whole', async () => {
      await files.writeAtomic('a.txt', 'one');
      await files.writeAtomic('a.txt', 'two ü', { flush: true });
      assert.equal(await files.read('a.txt'), 'two ü');
      assert.equal(files.readNow('a.txt'), 'two ü');
      assert.equal(files.existsNow('a.txt'), true);
      const stat = await files.stat('a.txt');
      assert.deepEqual([stat?.kind, stat?.size], ['file', 6]);
      assert.ok(Math.abs((stat?.modified ?? 0) - Date.now()) < 60_000);
      assert.deepEqual(await namesIn(''), ['a.txt file']);
      await files.remove('a.txt');
      assert.deepEqual(await namesIn(''), []);
    });

    it('need a folder to write into', async () => {
      await assert.rejects(files.writeAtomic('a/b.txt', ''), { reason: 'not-found' });
      await assert.rejects(files.append('a/b.txt', ''), { reason: 'not-found' });
      await assert.rejects(files.createExclusive('a/b.txt', ''), { reason: 'not-found' });
      await assert.rejects(files.truncate('b.txt', 0), { reason: 'not-found' });
      await assert.rejects(files.copy('b.txt', 'c.txt'), { reason: 'not-found' });
      await files.makeFolder('a/b/c');
      await files.makeFolder('a/b');
      await files.writeAtomic('a/b/c/d.txt', 'x');
      assert.deepEqual(await namesIn('a/b'), ['c folder']);
      assert.equal((await files.stat('a/b'))?.kind, 'folder');
    });

    it('never mistake one thing for another', async () => {
      await files.makeFolder('folder');
      await files.writeAtomic('file', 'x');
      await assert.rejects(files.read('folder'), { reason: 'not-writable' });
      await assert.rejects(files.writeAtomic('folder', ''), { reason: 'not-writable' });
      await assert.rejects(files.append('folder', ''), { reason: 'not-writable' });
      await assert.rejects(files.makeFolder('file/below'), { reason: 'not-writable' });
      assert.equal(await files.read('file/below'), undefined);
      assert.deepEqual(await files.list('file'), []);
    });

    it('append, cut and read in bytes', async () => {
      await files.append('log', 'äb\n');
      await files.append('log', 'c');
      assert.equal(await files.read('log'), 'äb\nc');
      assert.equal(Buffer.from(await files.readBytes('log', 2, 2)).toString(), 'b\n');
      assert.equal((await files.readBytes('log', 3, 100)).length, 2);
      await files.truncate('log', 4);
      await files.append('log', 'd');
      assert.equal(await files.read('log'), 'äb\nd');
    });

    it('create and copy only if nothing exists', async () => {
      assert.equal(await files.createExclusive('a', 'one'), true);
      assert.equal(await files.createExclusive('a', 'two'), false);
      assert.equal(await files.copy('a', 'b'), true);
      assert.equal(await files.copy('a', 'b'), false);
      assert.deepEqual([await files.read('a'), await files.read('b')], ['one', 'one']);
    });

    it('create once, however many try', async () => {
      const tries = Array.from({ length: 20 }, (_, n) => files.createExclusive('one', `${n}`));
      const won = (await Promise.all(tries)).flatMap((mine, n) => (mine ? [`${n}`] : []));
      assert.equal(won.length, 1);
      assert.equal(await files.read('one'), won[0]);
    });

    it('change nothing if refused at the last moment', async () => {
      await files.writeAtomic('a', 'one\n');
      await assert.rejects(files.writeAtomic('a', 'two', refuse), /refused/);
      await assert.rejects(files.append('a', 'two', refuse), /refused/);
      await assert.rejects(files.append('b', 'two', refuse), /refused/);
      await assert.rejects(files.truncate('a', 0, refuse), /refused/);
      await assert.rejects(files.createExclusive('b', '', refuse), /refused/);
      await assert.rejects(files.copy('a', 'b', refuse), /refused/);
      await assert.rejects(files.makeFolder('b', refuse), /refused/);
      assert.equal(await files.read('a'), 'one\n');
      assert.deepEqual(await namesIn(''), ['a file']);
    });

    it('refuse paths that could lead elsewhere', async () => {
      for (const path of ['../x', 'a/../../x', '/etc/passwd', 'a//b', './a', 'C:x', 'a\\b', 'a\u0000', 'a/']) {
        await assert.rejects(async () => files.read(path), { reason: 'outside' }, path);
        await assert.rejects(async () => files.writeAtomic(path, ''), { reason: 'outside' }, path);
        await assert.rejects(async () => files.list(path), { reason: 'outside' }, path);
        await assert.rejects(async () => files.remove(path), { reason: 'outside' }, path);
        assert.throws(() => files.readNow(path), { reason: 'outside' }, path);
        assert.throws(() => files.existsNow(path), { reason: 'outside' }, path);
      }
    });

    it('do not read what is too long to be ours', async () => {
      await files.writeAtomic('long', 'x'.repeat(16 * 1024 * 1024 + 1));
      await assert.rejects(files.read('long'), { reason: 'damaged' });
    });
  });

describe('files in memory and on disk', () => {
  after(removeFolders);

  const path = fc.constantFrom('a', 'b', 'a/b', 'a/c', 'a/b/c');
  const text = fc.constantFrom('', 'x\n', 'ü', 'long '.repeat(50));
  const step = fc.oneof(
    fc.tuple(fc.constant('writeAtomic' as const), path, text),
    fc.tuple(fc.constant('append' as const), path, text),
    fc.tuple(fc.constant('createExclusive' as const), path, text),
    fc.tuple(fc.constant('makeFolder' as const), path),
    fc.tuple(fc.constant('remove' as const), path),
    fc.tuple(fc.constant('truncate' as const), path, fc.integer({ min: 0, max: 3 })),
    fc.tuple(fc.constant('copy' as const), path, path),
    fc.tuple(fc.constant('read' as const), path),
  );
  type Step = [keyof Files, ...unknown[]];

  async function play(files: Files, steps: readonly Step[]): Promise<unknown[]> {
    const seen: unknown[] = [];
    for (const [name, ...args] of steps) {
      const method = files[name] as (...all: unknown[]) => Promise<unknown>;
      seen.push(await method.apply(files, args).catch((error: { reason: string }) => error.reason));
    }
    for (const folder of ['', 'a', 'a/b'])
      for (const { name, kind } of (await files.list(folder)).sort((x, y) => (x.name < y.name ? -1 : 1)))
        if (name !== '.search')
          seen.push([name, kind, kind === 'file' ? await files.read(folder ? `${folder}/${name}` : name) : '']);
    return seen;
  }

  it('answer any sequence of operations in the same way', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const [inMemory, onDisk] = await Promise.all(
          PLACES.map(async ({ open }) => play(await open(), steps as Step[])),
        );
        assert.deepEqual(onDisk, inMemory);
      }),
      { numRuns: effort(150) },
    );
  });
});
