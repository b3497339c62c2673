import assert from 'node:assert/strict';
import { type Lease, takeLease } from '../../../../src/store/lease/lease.ts';
import { leasePath } from '../../../../src/store/lease/lease-file.ts';
import { systemRandom } from '../../../../src/store/system-ports.ts';
import { MemoryFiles } from '../../../support/memory-store.ts';
import { ManualClock } from '../support/manual-clock.ts';

describe('what a lease tells about the one before', () => {
  let files: MemoryFiles;
  const clock = new ManualClock();
  const GONE = 2 ** 22 + 1; // above the highest process id
  const take = (bootId: string): Promise<Lease> =>
    takeLease(files, { clock, random: systemRandom, identity: { pid: GONE, host: 'here', bootId } });
  beforeEach(() => {
    files = new MemoryFiles('memory:', () => clock.now());
  });

  it('is a close where it was released, and where there was none', async () => {
    const first = await take('a');
    assert.equal(first.lastEnd, 'closed');
    await first.release();
    assert.equal((await take('b')).lastEnd, 'closed');
  });

  it('is a kill in the same boot, a loss of power in another one, or where its file is empty', async () => {
    await take('a');
    assert.equal((await take('a')).lastEnd, 'killed');
    assert.equal((await take('b')).lastEnd, 'power-loss');
    files.put(leasePath(3), '');
    clock.pass(31_000);
    assert.equal((await take('b')).lastEnd, 'power-loss');
  });

  it('is a loss of power where not everything was on the disk when it was released, and the computer restarted', async () => {
    await (await take('a')).release(false);
    const same = await take('a');
    assert.equal(same.lastEnd, 'closed');
    await same.release(false);
    assert.equal((await take('b')).lastEnd, 'power-loss');
  });

  it('is passed on until it was mended', async () => {
    await take('a');
    const idle = await take('a');
    await idle.release();
    const next = await take('a');
    assert.equal(next.lastEnd, 'killed');
    next.recovered();
    await next.release();
    assert.equal((await take('a')).lastEnd, 'closed');
  });
});
