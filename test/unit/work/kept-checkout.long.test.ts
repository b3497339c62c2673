import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkPlace } from '../../support/work/work-place.ts';

const { signal } = new AbortController();
const options = { withUncommitted: false } as const;

describe('the checkout that shows commits', () => {
  /** A workspace of some files, and a commit that changes, adds and removes one. */
  async function begun(setUp?: string) {
    const place = new WorkPlace();
    const same = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`same/${i}.txt`, `${i}\n`]));
    place.commit({ 'a.txt': '1\n', 'gone/b.txt': 'b\n', ...same, '.gitignore': 'made\n' });
    const shop = await place.open();
    await shop.consent([...(setUp ? [setUp] : []), 'cat a.txt', 'ls'], signal);
    const start = await shop.begin({ ...options, ...(setUp && { setUp }) }, signal);
    const worker = await shop.checkout('worker', signal);
    writeFileSync(join(worker.folder, 'a.txt'), '2\n');
    writeFileSync(join(worker.folder, 'new.txt'), 'n\n');
    execFileSync('rm', ['-r', join(worker.folder, 'gone')]);
    const next = (await worker.commit('next')) ?? assert.fail();
    await worker.remove();
    return { shop, start, next };
  }
  const inodeOf = (folder: string, path: string) => lstatSync(join(folder, path)).ino;
  const filesIn = (folder: string) => readdirSync(folder).sort();

  it('goes from commit to commit: only what differs is written, and git there knows where it is', async () => {
    const { shop, start, next } = await begun();
    const first = await shop.checkout('check', signal, start);
    const inode = inodeOf(first.folder, 'same/7.txt');
    for (const [commit, text, files] of [
      [next, '2\n', ['.git', '.gitignore', 'a.txt', 'new.txt', 'same']],
      [start, '1\n', ['.git', '.gitignore', 'a.txt', 'gone', 'same']],
      [start, '1\n', ['.git', '.gitignore', 'a.txt', 'gone', 'same']],
      [next, '2\n', ['.git', '.gitignore', 'a.txt', 'new.txt', 'same']],
    ] as const) {
      const shown = await shop.checkout('check', signal, commit);
      assert.deepEqual([shown.base, shown.isContinued], [commit, false]);
      assert.equal(readFileSync(join(shown.folder, 'a.txt'), 'utf8'), text);
      assert.deepEqual(filesIn(shown.folder), files);
      assert.equal(inodeOf(shown.folder, 'same/7.txt') === inode, shop.isolation.sandbox !== undefined);
      const { output } = await shown.run({ line: 'cat a.txt', rights: 'read', timeoutMs: 10_000 }, signal);
      assert.equal(output, text);
      const git = (...args: string[]) => execFileSync('git', args, { cwd: shown.folder, encoding: 'utf8' });
      assert.equal(git('rev-parse', 'HEAD').trim(), commit);
      assert.equal(git('status', '--porcelain'), '');
      assert.equal(git('fsck', '--no-dangling'), '');
    }
    const { folder } = first;
    await shop.close();
    assert.ok(!existsSync(folder));
  });

  it('is made anew where it was changed, where a kill left it, and where a command prepares it', async () => {
    const { shop, start, next } = await begun();
    const first = await shop.checkout('check', signal, start);
    writeFileSync(join(first.folder, 'stray.txt'), 'x');
    const second = await shop.checkout('check', signal, next);
    assert.ok(!existsSync(join(second.folder, 'stray.txt')));
    execFileSync('rm', [join(second.folder, '..', 'about.json')]);
    writeFileSync(join(second.folder, 'a.txt'), 'half');
    const third = await shop.checkout('check', signal, next);
    assert.equal(readFileSync(join(third.folder, 'a.txt'), 'utf8'), '2\n');
    await shop.close();
    const prepared = await begun('cp a.txt made');
    for (const [commit, made] of [
      [prepared.start, '1\n'],
      [prepared.next, '2\n'],
    ] as const) {
      const { folder } = await prepared.shop.checkout('check', signal, commit);
      assert.equal(readFileSync(join(folder, 'made'), 'utf8'), made);
    }
    await prepared.shop.close();
  });

  it('stops git with the search', async () => {
    const { shop, start } = await begun();
    const stop = new AbortController();
    stop.abort();
    await assert.rejects(shop.checkout('check', stop.signal, start), { reason: 'aborted' });
    await shop.checkout('check', signal, start);
    await shop.close();
  });
});
