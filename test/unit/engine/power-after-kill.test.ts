import assert from 'node:assert/strict';
import { openDiskFiles } from '../../../src/store/files/disk/disk-files.ts';
import type { Files } from '../../../src/store/files/files.ts';
import { createSearchJson } from '../../../src/store/json/search-json.ts';
import { takeLease } from '../../../src/store/lease/lease.ts';
import { openFilesForWriting } from '../../../src/store/open-store.ts';
import { CrashingFiles } from '../../support/crashing-files.ts';
import { someOf } from '../../support/effort.ts';
import { ORDERS, type Order, PowerCuts } from '../../support/power/power-cuts.ts';
import { PowerDisk } from '../../support/power/power-disk.ts';
import { snapshotOf } from '../../support/searches/search-snapshot.ts';
import { QUESTION, simulate } from '../../support/searches/simulated-search.ts';
import { seededRandom, VirtualClock } from '../../support/virtual-clock.ts';

let runs = 0;

function filesOn(disk: PowerDisk): Promise<Files> {
  return openDiskFiles(disk.folder, { operations: disk.operations, platform: 'linux' });
}

/** Runs the search on a disk to its end, or until it is killed at a change; undefined if it was. */
async function run(disk: PowerDisk, bootId: string, killedAt?: number): Promise<Record<string, string> | undefined> {
  const seed = ++runs;
  const files = await filesOn(disk);
  const crashing = new CrashingFiles(files, killedAt);
  let stop = (): void => undefined;
  const identity = { pid: 2 ** 22 + seed, host: 'here', bootId };
  const work = async (): Promise<void> => {
    const startedAt = Date.now();
    const store = await openFilesForWriting(crashing, {
      clock: new VirtualClock(),
      random: seededRandom(seed),
      identity,
      startedAt,
    });
    const model = { latencyMs: ({ node }: { node: string }) => 100 + (node.length % 7) * 30 };
    const tree = { fanout: (_path: string, depth: number) => [3, 2][depth] ?? 0 };
    const simulation = await simulate({ tree, model, store, seed, search: { limits: { size: 'all' } } });
    stop = () => simulation.clock.stop();
    await simulation.run();
    await simulation.search.close();
  };
  await crashing.ended(work());
  stop();
  return crashing.crashed ? undefined : await snapshotOf(files);
}

async function newDisk(): Promise<PowerDisk> {
  const disk = new PowerDisk(() => 0);
  const files = await filesOn(disk);
  await files.makeFolder('.search');
  await createSearchJson(files, QUESTION);
  return new PowerDisk(() => 0, disk.nodes);
}

/** What is left of a disk if the power goes off after the last change. */
function leftOf(disk: PowerDisk, order: Order): PowerDisk {
  const cuts = new PowerCuts(disk.log);
  while (cuts.next());
  return new PowerDisk(
    () => 0,
    cuts.left('nothing', order, () => 0),
  );
}

describe('a search that was killed, continued and closed before the power went off', () => {
  it('has lost nothing of what the killed process had written', async () => {
    const whole = await run(await newDisk(), 'only');
    assert.ok(Object.keys(whole ?? {}).length > 20);
    for (const killedAt of someOf([20, 35, 50, 65, 80, 95], 2)) {
      const disk = await newDisk();
      assert.equal(await run(disk, 'first', killedAt), undefined, 'it was not killed');
      assert.deepEqual(await run(disk, 'first'), whole);
      for (const order of ORDERS)
        assert.deepEqual(await run(leftOf(disk, order), 'second'), whole, `killed at change ${killedAt}, ${order}`);
    }
  });

  it('is not closed properly by a process that wrote nothing itself', async () => {
    const whole = await run(await newDisk(), 'only');
    const disk = await newDisk();
    await run(disk, 'first', 80);
    const identity = { pid: 2 ** 22 + 99, host: 'here', bootId: 'first' };
    const lease = await takeLease(await filesOn(disk), {
      clock: new VirtualClock(),
      random: seededRandom(99),
      identity,
    });
    await lease.release();
    assert.deepEqual(await run(disk, 'first'), whole);
    assert.deepEqual(await run(leftOf(disk, 'unordered'), 'second'), whole);
  });

  it('does not get back a file that was removed', async () => {
    const disk = await newDisk();
    const files = await filesOn(disk);
    await files.writeAtomic('notes.md', 'A note.');
    await files.settle();
    await files.remove('notes.md');
    await files.settle();
    for (const order of ORDERS) assert.equal((await filesOn(leftOf(disk, order))).existsNow('notes.md'), false, order);
  });
});
