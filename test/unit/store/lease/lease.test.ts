import assert from 'node:assert/strict';
import type { Files } from '../../../../src/store/files/files.ts';
import { type Lease, takeLease } from '../../../../src/store/lease/lease.ts';
import { leasePath, listEpochs, readHolder } from '../../../../src/store/lease/lease-file.ts';
import { type ProcessIdentity, thisProcess } from '../../../../src/store/lease/process-identity.ts';
import { systemRandom } from '../../../../src/store/system-ports.ts';
import { until } from '../../../support/until.ts';
import { put } from '../support/content.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { PLACES, removeFolders } from '../support/places.ts';

const me = thisProcess();
const elsewhere: ProcessIdentity = { pid: 1, host: 'another-host', bootId: 'b' };
const SECOND = 1000;

for (const { name, open } of PLACES)
  describe(`the lease of a search ${name}`, () => {
    let files: Files;
    let clock: ManualClock;
    let taken: Lease[];
    beforeEach(async () => {
      files = await open();
      clock = new ManualClock();
      taken = [];
    });
    afterEach(async () => {
      await Promise.all(taken.map((lease) => lease.release()));
    });
    after(removeFolders);

    const take = async (identity: ProcessIdentity = me): Promise<Lease> => {
      const lease = await takeLease(files, { clock, random: systemRandom, identity });
      taken.push(lease);
      return lease;
    };
    const fileOf = (epoch: number): Record<string, unknown> => JSON.parse(files.readNow(leasePath(epoch)) ?? '{}');
    const state = async (): Promise<string | undefined> => (await readHolder(files, clock, me))?.state;

    it('can be taken if nobody holds it, and says who does', async () => {
      assert.equal(await state(), undefined);
      const lease = await take();
      assert.equal(lease.epoch, 1);
      assert.equal(lease.held(), true);
      lease.check();
      const { token, since, heartbeat, ...identity } = fileOf(1);
      assert.deepEqual(identity, { epoch: 1, ...me });
      assert.equal(typeof token, 'string');
      assert.equal(since, heartbeat);
      assert.equal(await state(), 'alive');
    });

    it('is refused while its holder lives, naming the holder', async () => {
      await take(elsewhere);
      clock.pass(29 * SECOND);
      const message = /process 1 on another-host since \d{4}-.*last sign of life 29 s ago/;
      await assert.rejects(take(), { reason: 'held', message });
      await assert.rejects(take(elsewhere), { reason: 'held' });
      assert.deepEqual(await listEpochs(files), [1]);
    });

    it('is kept by a heartbeat every 5 seconds', async () => {
      const lease = await take(elsewhere);
      for (let second = 5; second <= 60; second += 5) {
        const before = fileOf(1)['heartbeat'];
        clock.advance(5 * SECOND);
        await until(() => fileOf(1)['heartbeat'] !== before);
      }
      assert.equal(fileOf(1)['heartbeat'], new Date(clock.now()).toISOString());
      await assert.rejects(take(), { reason: 'held' });
      assert.ok(lease.held());
    });

    it('is taken over from a holder that has been silent for 30 seconds', async () => {
      const first = await take(elsewhere);
      clock.pass(31 * SECOND);
      assert.equal(await state(), 'silent');
      const second = await take();
      assert.equal(second.epoch, 2);
      assert.deepEqual(await listEpochs(files), [2]);
      assert.equal(first.held(), false);
      assert.throws(() => first.check(), { reason: 'lease-lost' });
      assert.ok(second.held());
    });

    it('is not written any more by a holder that lost it', async () => {
      const first = await take(elsewhere);
      clock.pass(31 * SECOND);
      await take();
      const file = files.readNow(leasePath(2));
      clock.advance(0); // wakes the first holder's heartbeat
      await new Promise(setImmediate);
      await first.release();
      assert.deepEqual(await listEpochs(files), [2]);
      assert.equal(files.readNow(leasePath(2)), file);
    });

    it('is free at once after its release, and its number stays', async () => {
      const first = await take(elsewhere);
      await first.release();
      await first.release();
      assert.equal(fileOf(1)['released'], true);
      assert.equal(await state(), 'released');
      assert.throws(() => first.check(), { reason: 'lease-lost', message: /closed/ });
      assert.equal((await take()).epoch, 2);
      assert.deepEqual(await listEpochs(files), [2]);
    });

    it('is lost if its file is gone or another’s', async () => {
      const first = await take();
      await files.remove(leasePath(1));
      assert.throws(() => first.check(), { reason: 'lease-lost' });
      const second = await take();
      await put(files, leasePath(second.epoch), JSON.stringify({ ...fileOf(second.epoch), token: 'another' }));
      assert.equal(second.held(), false);
    });

    it('stays lost', async () => {
      const lease = await take(elsewhere);
      const file = files.readNow(leasePath(1)) ?? '';
      await files.remove(leasePath(1));
      assert.equal(lease.held(), false);
      await put(files, leasePath(1), file);
      assert.equal(lease.held(), false);
    });

    it('is free if the computer was restarted', async () => {
      await take({ ...me, bootId: `${me.bootId}-before` });
      assert.equal(await state(), 'gone');
      assert.equal((await take()).epoch, 2);
    });

    it('is free if the process id now belongs to another process, as far as the system tells', async () => {
      await take({ ...me, started: '1' });
      assert.equal(await state(), me.started === undefined ? 'alive' : 'gone');
    });

    it('waits for a heartbeat if it is unknown whether the process lives', async () => {
      for (const identity of [elsewhere, { ...me, pid: 2 ** 22 + 1, pidSpace: 'another container' }]) {
        const lease = await take(identity);
        await assert.rejects(take(), { reason: 'held' });
        await lease.release();
      }
      await take({ ...me, bootId: '~2026-01-01T00:00:00.000Z' });
      await assert.rejects(take(), { reason: 'held' });
    });

    it('treats a file that is unreadable or from the future as just written, and uses the file’s own time', async () => {
      const future = new Date(clock.now() + 3600 * SECOND).toISOString();
      for (const text of [
        '',
        '{"epoch"',
        '[]',
        JSON.stringify({ epoch: 7, token: 't', ...elsewhere, heartbeat: future }),
      ]) {
        await put(files, leasePath(7), text);
        await assert.rejects(take(), { reason: 'held' }, text);
      }
      clock.pass(31 * SECOND);
      assert.equal((await take()).epoch, 8);
    });

    it('is not taken if the highest number is invalid', async () => {
      await put(files, leasePath(999_999_999_999_999), '{"released":true}');
      clock.pass(31 * SECOND);
      await assert.rejects(take(), { reason: 'damaged', message: /Delete it/ });
    });

    it('goes to exactly one of many takers, round after round', async () => {
      for (let round = 1; round <= 40; round++) {
        const tries = Array.from({ length: 8 }, (_, n) => take({ ...elsewhere, pid: n + 1 }));
        const results = await Promise.allSettled(tries);
        const won = results.filter((result) => result.status === 'fulfilled');
        assert.equal(won.length, 1);
        for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.reason, 'held');
        assert.equal(taken.filter((lease) => lease.held()).length, 1);
        assert.equal(won[0]?.value.epoch, round);
        if (round % 2 === 0) clock.pass(31 * SECOND);
        else await won[0]?.value.release();
      }
    });

    it('does not go to a taker so slow that the wanted number is free again', async () => {
      await (await take(elsewhere)).release();
      const slow = Object.create(files) as Files;
      for (const method of ['list', 'read', 'stat', 'remove', 'makeFolder'] as const)
        slow[method] = (path: string) => files[method](path) as never;
      slow.createExclusive = async (path, text) => {
        if (path === leasePath(2)) {
          await (await take(elsewhere)).release();
          await take(elsewhere);
        }
        return await files.createExclusive(path, text);
      };
      await assert.rejects(takeLease(slow, { clock, random: systemRandom, identity: me }), { reason: 'held' });
      assert.deepEqual(await listEpochs(files), [3]);
      assert.equal(taken.filter((lease) => lease.held()).length, 1);
    });

    it('survives a disk that is full for a while', async () => {
      let full = false;
      const filling = new Proxy(files, {
        get: (target, key) => {
          const method = Reflect.get(target, key) as unknown;
          if (typeof method !== 'function') return method;
          if (key !== 'writeAtomic') return method.bind(target);
          return async (...args: unknown[]) => {
            if (full) throw new Error('full');
            await method.apply(target, args);
          };
        },
      });
      const lease = await takeLease(filling, { clock, random: systemRandom, identity: elsewhere });
      taken.push(lease);
      full = true;
      clock.advance(5 * SECOND);
      await new Promise(setImmediate);
      full = false;
      const before = fileOf(1)['heartbeat'];
      await until(() => {
        clock.advance(5 * SECOND);
        return fileOf(1)['heartbeat'] !== before;
      });
      assert.ok(lease.held());
    });
  });
