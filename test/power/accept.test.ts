import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UserRepository } from '../e2e/work-graph/user-repository.ts';
import { effort } from '../support/effort.ts';
import { reached, searchOf } from '../support/many-files.ts';
import { chance } from '../support/servers/server-random.ts';
import { LoopDisk } from './loop-disk.ts';

const CUTS = effort(30);
const A = searchOf('a');

describe('accepting on an ext4 whose power is cut at random moments', () => {
  let disk: LoopDisk | undefined;
  before(() => {
    try {
      disk = new LoopDisk();
    } catch (error) {
      process.stdout.write(`Not run: no ext4 can be mounted here (${String(error).split('\n')[0]}).\n`);
    }
  });
  after(() => disk?.remove());

  it(`leaves every file as before or as accepted, ${CUTS} times`, async function () {
    if (!disk) return this.skip();
    disk.renew();
    const user = await reached(disk.folder, 'a');
    const before = await user.fingerprint();
    assert.equal((await user.cli('accept', A, '--yes')).code, 0);
    const accepted = await user.fingerprint();
    assert.equal((await user.cli('accept', A, '--undo', '--yes')).code, 0);
    const image = settled(disk);
    disk.replaceBy(image());
    const began = performance.now();
    await user.cli('accept', A, '--yes');
    const took = performance.now() - began;
    let half = 0;
    for (let cut = 1; cut <= CUTS; cut++) {
      disk.replaceBy(image());
      const isWhole = await cutPower(disk, user, cut, took);
      const now = new Map(
        [...(await user.fingerprint())].filter(([path]) => !path.startsWith('.thought-tree-accept-')),
      );
      if (isWhole) assert.deepEqual(now, accepted, `cut ${cut}: it was said to be accepted`);
      const isBack = chance(cut, 0, 'back') < 0.5;
      const isHalf = ![before, accepted].some((each) => isSame(each, now));
      if (isHalf) half++;
      const { stdout } = await user.cli('status', A);
      if (isHalf) assert.match(stdout, /interrupted/, `cut ${cut}`);
      const mended = await user.cli('accept', A, '--yes', ...(isBack ? ['--undo'] : []));
      assert.equal(mended.code, 0, `cut ${cut}: ${mended.stderr}`);
      assert.deepEqual(await user.fingerprint(), isBack ? before : accepted, `cut ${cut}`);
      assert.deepEqual(
        readdirSync(user.folder).filter((name) => name.startsWith('.thought-tree')),
        [],
      );
    }
    process.stdout.write(`Power cuts of an acceptance on a real ext4: ${CUTS}, of which ${half} in the middle.\n`);
  }).timeout(CUTS * 60_000);
});

/** The disk as it is now, as often as wanted. */
function settled(disk: LoopDisk): () => string {
  disk.unmount();
  const copy = disk.copy();
  assert.ok(copy !== undefined);
  const bytes = readFileSync(copy);
  return () => {
    writeFileSync(copy, bytes);
    return copy;
  };
}

/** Accepts, and cuts the power at some moment of that. @returns whether it was said to be done before */
async function cutPower(disk: LoopDisk, user: UserRepository, cut: number, took: number): Promise<boolean> {
  const { child, end } = user.start('accept', A, '--yes');
  let isOver = false;
  void end.then(() => {
    isOver = true;
  });
  const isBegun = (): boolean => readdirSync(user.folder).some((name) => name.startsWith('.thought-tree-accept-'));
  while (!isOver && !isBegun()) await sleep(1);
  await Promise.race([end, sleep(took * 0.5 * chance(cut, 0, 'when'))]);
  child.kill('SIGSTOP');
  await sleep(5);
  const isWhole = isOver;
  const copy = disk.copy();
  child.kill('SIGKILL');
  await end;
  assert.ok(copy !== undefined);
  await free(disk);
  disk.replaceBy(copy);
  // A loss of power ends with another boot, which this computer does not really have.
  const home = join(user.folder, '..');
  const told = /(^|\/)(lease-\d+|line|accepting\/[^/]+)\.json$/;
  for (const file of readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => told.test(name))) {
    const path = join(home, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"bootId": ?"[^"]*"/, '"bootId":"before-the-cut"'));
  }
  return isWhole;
}

/** What a killed process had started ends soon after it. */
async function free(disk: LoopDisk): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      disk.unmount();
      return;
    } catch (error) {
      if (tries === 200) throw error;
      await sleep(50);
    }
}

function isSame(one: Map<string, string>, other: Map<string, string>): boolean {
  return JSON.stringify([...one]) === JSON.stringify([...other]);
}
