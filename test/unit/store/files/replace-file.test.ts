import assert from 'node:assert/strict';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../../../src/store/files/replace-file.ts';
import { ORDERS, PowerCuts, WAYS } from '../../../support/power/power-cuts.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { seededRandom } from '../../../support/virtual-clock.ts';
import { TracedFolder, tracedDisk } from '../../../support/work/traced-disk.ts';

describe('a file that is replaced', () => {
  const make = (): { folder: string; file: string } => {
    const folder = temporaryFolder('replace');
    return { folder, file: join(folder, 'settings.json') };
  };

  it('is the old one or the new one after a loss of power at any moment, and the new one once that is said', async () => {
    for (const isNew of [false, true]) {
      const { folder, file } = make();
      if (!isNew) writeFileSync(file, 'old');
      const traced = new TracedFolder(folder, () => false);
      await replaceFile(file, 'new', { disk: traced.disk, isNew });
      const cuts = new PowerCuts(traced.log);
      const random = seededRandom(1);
      const read = (): string | undefined =>
        readdirSync(folder).includes('settings.json') ? readFileSync(file, 'utf8') : undefined;
      while (cuts.next())
        for (const way of WAYS)
          for (const order of ORDERS) {
            traced.restore(cuts.left(way, order, () => random.next()));
            assert.ok(
              [isNew ? undefined : 'old', 'new'].includes(read()),
              `${read()} after ${cuts.at}, ${way}, ${order}`,
            );
          }
      traced.restore(cuts.left('nothing', 'unordered', () => 0));
      assert.equal(read(), 'new');
    }
  });

  it('keeps its rights, and is another one than those that share its content', async () => {
    const { folder, file } = make();
    writeFileSync(file, 'old');
    chmodSync(file, 0o640);
    linkSync(file, join(folder, 'other'));
    await replaceFile(file, 'new', { mode: 0o600 });
    assert.equal(lstatSync(file).mode & 0o777, 0o640);
    assert.equal(readFileSync(join(folder, 'other'), 'utf8'), 'old');
    await replaceFile(join(folder, 'made'), 'x', { mode: 0o751 });
    assert.equal(lstatSync(join(folder, 'made')).mode & 0o777, 0o751);
  });

  it('is none that a link leads to, no folder, and none that is there where it has to be new', async () => {
    const { folder, file } = make();
    writeFileSync(file, 'old');
    symlinkSync(file, join(folder, 'link'));
    mkdirSync(join(folder, 'folder'));
    await assert.rejects(replaceFile(join(folder, 'link'), 'new'), { reason: 'outside' });
    await assert.rejects(replaceFile(join(folder, 'folder'), 'new'), { reason: 'not-writable' });
    await assert.rejects(replaceFile(file, 'new', { isNew: true }), { reason: 'not-writable' });
    assert.equal(await replaceFile(file, 'new', { mayReplace: async () => false }), false);
    // Somebody makes it at the last moment.
    const late = tracedDisk((_number, call) => {
      if (call === 'link') writeFileSync(join(folder, 'late'), 'theirs');
    });
    await assert.rejects(replaceFile(join(folder, 'late'), 'ours', { isNew: true, disk: late }), {
      reason: 'not-writable',
    });
    assert.deepEqual(readdirSync(folder).sort(), ['folder', 'late', 'link', 'settings.json']);
    assert.deepEqual([readFileSync(file, 'utf8'), readFileSync(join(folder, 'late'), 'utf8')], ['old', 'theirs']);
  });
});
