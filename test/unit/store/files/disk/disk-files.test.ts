import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDiskFiles, renameWithRetry } from '../../../../../src/store/files/disk/disk-files.ts';
import { type DiskOperations, diskOperations } from '../../../../../src/store/files/disk/disk-operations.ts';
import { type Files, LONGEST_FILE } from '../../../../../src/store/files/files.ts';
import { failing, newFolder, removeFolders, systemError } from '../../support/places.ts';

after(removeFolders);

describe('files on disk', () => {
  it('take no more memory for bytes than a file has, however many are asked for', async () => {
    const files = await openDiskFiles(await newFolder());
    await files.writeAtomic('a', 'two ü');
    const bytes = await files.readBytes('a', 2, LONGEST_FILE);
    assert.equal(Buffer.from(bytes).toString(), 'o ü');
    assert.ok(bytes.buffer.byteLength < 100_000, `${bytes.buffer.byteLength}`);
    assert.equal((await files.readBytes('a', 100, LONGEST_FILE)).length, 0);
  });

  it('leave time for other work while the disk takes its time to make a file', async () => {
    const slow = Promise.withResolvers<void>();
    const operations: Partial<DiskOperations> = {
      open: async (path, flags) => {
        await slow.promise;
        return await diskOperations.open(path, flags);
      },
    };
    const files = await openDiskFiles(await newFolder(), { operations });
    let isWritten = false;
    const writing = files.writeAtomic('a', 'x').then(() => {
      isWritten = true;
    });
    await sleep(30);
    assert.equal(isWritten, false, 'it waits for the disk, not for this thread');
    slow.resolve();
    await writing;
    assert.equal(await files.read('a'), 'x');
  });
});

describe('files on disk and symbolic links', () => {
  let root: string;
  let outside: string;
  let files: Files;
  beforeEach(async () => {
    root = await newFolder();
    outside = await newFolder();
    await writeFile(join(outside, 'secret'), 'secret');
    await mkdir(join(root, 'real'));
    await writeFile(join(root, 'real', 'x'), 'x');
    await writeFile(join(root, 'real', 'secret'), 'own');
    await writeFile(join(root, 'secret'), 'own');
    files = await openDiskFiles(root);
  });

  const untouched = async (): Promise<void> => {
    assert.deepEqual(await readdir(outside), ['secret']);
    assert.equal(await readFile(join(outside, 'secret'), 'utf8'), 'secret');
  };

  it('never go through a linked folder, wherever it leads', async () => {
    await symlink(outside, join(root, 'out'));
    await symlink(join(root, 'real'), join(root, 'in'));
    await symlink(root, join(root, 'real', 'round'));
    for (const folder of ['out', 'in', 'real/round']) {
      const refused = { reason: 'outside' };
      await assert.rejects(files.read(`${folder}/secret`), refused);
      await assert.rejects(files.list(folder), refused);
      await assert.rejects(files.stat(`${folder}/secret`), refused);
      await assert.rejects(files.writeAtomic(`${folder}/new`, ''), refused);
      await assert.rejects(files.append(`${folder}/new`, ''), refused);
      await assert.rejects(files.createExclusive(`${folder}/new`, ''), refused);
      await assert.rejects(files.makeFolder(`${folder}/new/er`), refused);
      await assert.rejects(files.remove(`${folder}/secret`), refused);
      await assert.rejects(files.copy('real/x', `${folder}/new`), refused);
    }
    assert.deepEqual((await files.list('')).map(({ name, kind }) => `${name} ${kind}`).sort(), [
      'in other',
      'out other',
      'real folder',
      'secret file',
    ]);
    await untouched();
  });

  it('never open a linked file; replacing one replaces the link', async () => {
    await symlink(join(outside, 'secret'), join(root, 'link'));
    await symlink(join(outside, 'new'), join(root, 'dangling'));
    const refused = { reason: 'outside' };
    await assert.rejects(files.read('link'), refused);
    await assert.rejects(files.readBytes('link', 0, 3), refused);
    await assert.rejects(files.append('link', 'x'), refused);
    await assert.rejects(files.truncate('link', 0), refused);
    await assert.rejects(files.append('dangling', 'x'), { name: 'ThoughtTreeError' });
    assert.equal((await files.stat('link'))?.kind, 'other');
    await files.writeAtomic('link', 'mine');
    assert.equal(await files.read('link'), 'mine');
    await untouched();
  });

  it('write nothing if the engine’s own folder is a link', async () => {
    await symlink(outside, join(root, '.search'));
    await assert.rejects(files.writeAtomic('real/x', 'y'), { reason: 'outside' });
    await assert.rejects(files.append('.search/journal.jsonl', 'y'), { reason: 'outside' });
    assert.equal(await files.read('real/x'), 'x');
    await untouched();
  });

  it('may themselves be behind a link', async () => {
    await symlink(root, join(outside, 'way'));
    const linked = await openDiskFiles(join(outside, 'way'));
    await linked.writeAtomic('real/x', 'y');
    assert.equal(await linked.read('real/x'), 'y');
  });
});

/** System calls that fail for good from the n-th on, the opening's own not counted: nothing is tidied up either. */
function dyingAt(n: number): { operations: DiskOperations; died: () => boolean; done: () => boolean } {
  let count = -1;
  let renamed = false;
  const entries = Object.entries(diskOperations).map(([name, real]) => {
    const operation = (...args: unknown[]): unknown => {
      if (++count >= n) throw systemError('EIO');
      if (name === 'renameSync') renamed = true;
      return (real as (...all: unknown[]) => unknown)(...args);
    };
    return [name, name.endsWith('Sync') ? operation : async (...args: unknown[]) => operation(...args)];
  });
  const operations = Object.fromEntries(entries) as DiskOperations;
  return { operations, died: () => count >= n, done: () => renamed };
}

describe('files on disk and failures', () => {
  const withFault = async (operations: Partial<DiskOperations>, platform?: string): Promise<[Files, string]> => {
    const root = await newFolder();
    await (await openDiskFiles(root)).writeAtomic('a', 'old');
    return [await openDiskFiles(root, { operations, ...(platform === undefined ? {} : { platform }) }), root];
  };

  const failingWrite = (code: string): Partial<DiskOperations> => failing('writeSync', code);

  it('say that the disk is full, and keep the old text', async () => {
    for (const code of ['ENOSPC', 'EDQUOT']) {
      const [files, root] = await withFault(failingWrite(code));
      await assert.rejects(files.writeAtomic('a', 'new'), (error: Error & { reason: string }) => {
        assert.equal(error.reason, 'disk-full');
        assert.ok(error.message.includes(join(root, 'a')), error.message);
        assert.match(error.message, /Free some space/);
        return true;
      });
      assert.equal(await files.read('a'), 'old');
      assert.deepEqual(await files.list('.search/tmp'), []);
    }
  });

  it('say that a folder cannot be written, and keep the old text', async () => {
    for (const code of ['EACCES', 'EPERM', 'EROFS'])
      for (const call of ['renameSync', 'mkdirSync', 'copyFileSync'] as const) {
        const [files] = await withFault(failing(call, code));
        const refused = { reason: 'not-writable', message: /Cannot write .*\. \S/ };
        if (call === 'renameSync') await assert.rejects(files.writeAtomic('a', 'new'), refused);
        if (call === 'mkdirSync') await assert.rejects(files.makeFolder('b'), refused);
        if (call === 'copyFileSync') await assert.rejects(files.copy('a', 'b'), refused);
        assert.equal(await files.read('a'), 'old');
        assert.deepEqual(await files.list('.search/tmp'), []);
      }
  });

  it('name what they do not foresee', async () => {
    const [files] = await withFault(failing('renameSync', 'EIO'));
    await assert.rejects(files.writeAtomic('a', 'new'), { reason: 'internal', message: /EIO: injected/ });
  });

  it('say that there is no such folder', async () => {
    await assert.rejects(openDiskFiles(join(await newFolder(), 'none')), { reason: 'not-found' });
  });

  it('create exclusively if the file system has no hard links', async () => {
    const [files] = await withFault(failing('linkSync', 'ENOTSUP'));
    const tries = Array.from({ length: 10 }, (_, n) => files.createExclusive('one', `text ${n}`));
    assert.equal((await Promise.all(tries)).filter(Boolean).length, 1);
    assert.match((await files.read('one')) ?? '', /^text \d$/);
    assert.deepEqual(await files.list('.search/tmp'), []);
  });

  it('make a folder where their own was deleted', async () => {
    const root = await newFolder();
    const files = await openDiskFiles(root);
    await rm(root, { recursive: true });
    await files.makeFolder('a/b');
    assert.deepEqual(await files.list('a'), [{ name: 'b', kind: 'folder' }]);
  });

  it('recreate a file that a cleanup removed before it was in place', async () => {
    let removed = false;
    const linkSync: typeof diskOperations.linkSync = (from, to) => {
      if (!removed) {
        removed = true;
        throw systemError('ENOENT');
      }
      diskOperations.linkSync(from, to);
    };
    const [files] = await withFault({ linkSync });
    assert.equal(await files.createExclusive('one', 'text'), true);
    assert.equal(await files.read('one'), 'text');
  });

  it('leave the old text or the new one if they die at any system call', async () => {
    const root = await newFolder();
    const files = await openDiskFiles(root);
    for (const flush of [false, true])
      for (let n = 1, died = true; died; n++) {
        await files.writeAtomic('a', 'old');
        const dying = dyingAt(n);
        const its = await openDiskFiles(root, { operations: dying.operations });
        await its.writeAtomic('a', 'new', { flush }).catch(() => undefined);
        died = dying.died();
        assert.equal(await files.read('a'), died && !dying.done() ? 'old' : 'new');
        assert.deepEqual((await files.list('')).map((entry) => entry.name).sort(), ['.search', 'a']);
        await files.cleanUp();
        assert.deepEqual(await files.list('.search/tmp'), []);
        assert.ok(n < 30);
      }
  });

  it('check right before the rename, at each attempt', async () => {
    const order: string[] = [];
    let refusals = 3;
    const operations: Partial<DiskOperations> = {
      renameSync: (from, to) => {
        order.push('rename');
        if (refusals-- > 0) throw systemError('EPERM');
        renameSync(from, to);
      },
    };
    const [files] = await withFault(operations, 'win32');
    await files.writeAtomic('a', 'new', { beforeCommit: () => order.push('asked') });
    assert.equal(order.join(' '), 'asked rename asked rename asked rename asked rename');
    assert.equal(await files.read('a'), 'new');
  });

  it('distinguish a lost lease from a lost file', async () => {
    const [files] = await withFault(failing('renameSync', 'ENOENT'));
    let asked = 0;
    const beforeCommit = (): void => {
      if (++asked === 2) throw new Error('lost meanwhile');
    };
    await assert.rejects(files.writeAtomic('a', 'new', { beforeCommit }), /lost meanwhile/);
  });
});

describe('a rename that Windows refuses', () => {
  const refusing = (code: string) => (): never => {
    throw systemError(code);
  };

  it('is retried for about ten seconds, 10 to 100 ms apart', async () => {
    const waits: number[] = [];
    const wait = async (ms: number): Promise<void> => void waits.push(ms);
    await assert.rejects(renameWithRetry(refusing('EBUSY'), 'win32', wait), { code: 'EBUSY' });
    assert.deepEqual(waits.slice(0, 5), [10, 20, 40, 80, 100]);
    const total = waits.reduce((sum, ms) => sum + ms, 0);
    assert.ok(total >= 10_000 && total <= 10_100, `${total}`);
  });

  it('is final on other systems, and for other reasons', async () => {
    const wait = (): never => assert.fail('waited');
    await assert.rejects(renameWithRetry(refusing('EPERM'), 'linux', wait), { code: 'EPERM' });
    await assert.rejects(renameWithRetry(refusing('ENOSPC'), 'win32', wait), { code: 'ENOSPC' });
  });
});
