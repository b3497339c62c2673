import assert from 'node:assert/strict';
import { takeLease } from '../../../../src/store/lease/lease.ts';
import { leasePath, readHolder } from '../../../../src/store/lease/lease-file.ts';
import { systemRandom } from '../../../../src/store/system-ports.ts';
import { MemoryFiles } from '../../../support/memory-store.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** Files on a disk that is full for some writes. */
class FullFiles extends MemoryFiles {
  failing = 0;
  tries = 0;
  override async writeAtomic(...args: Parameters<MemoryFiles['writeAtomic']>): Promise<void> {
    this.tries++;
    if (this.failing-- > 0) throw new Error('No space left on the disk.');
    await super.writeAtomic(...args);
  }
}

const clock = new ManualClock();
const living = { pid: process.pid, host: 'here', bootId: 'a', pidSpace: 'p' };
const other = { ...living, pid: 1 };

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    clock.advance(1000);
    await new Promise(setImmediate);
  }
}

describe('a lease whose release could not be written', () => {
  it('is released as soon as it can be written', async () => {
    const files = new FullFiles();
    const lease = await takeLease(files, { clock, random: systemRandom, identity: living });
    files.failing = 3;
    await lease.release();
    assert.equal((await readHolder(files, clock, other))?.state, 'alive');
    await pass(60);
    assert.equal((await readHolder(files, clock, other))?.state, 'released');
  });

  it('is left to expire after some tries', async () => {
    const files = new FullFiles();
    const lease = await takeLease(files, { clock, random: systemRandom, identity: living });
    files.failing = Number.POSITIVE_INFINITY;
    await lease.release();
    await pass(3600);
    const { tries } = files;
    assert.ok(tries > 3 && tries < 20, `${tries} tries`);
    await pass(3600);
    assert.equal(files.tries, tries);
  });

  it('is not touched any more once somebody else holds the search', async () => {
    const files = new FullFiles();
    const lease = await takeLease(files, { clock, random: systemRandom, identity: living });
    files.failing = 1;
    await lease.release();
    files.put(leasePath(2), (files.readNow(leasePath(1)) ?? '').replace('"epoch": 1', '"epoch": 2'));
    await files.remove(leasePath(1));
    await pass(60);
    assert.equal(files.existsNow(leasePath(1)), false);
    assert.equal((await readHolder(files, clock, other))?.epoch, 2);
  });
});
