import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import { readQueueAddress } from '../../../../src/fleet/address.ts';
import { answersOf } from '../../../../src/fleet/names.ts';
import { openQueue } from '../../../../src/fleet/open-queue.ts';
import type { FleetQueue, QueuedCall } from '../../../../src/fleet/queue.ts';
import { runSql, TestFleet } from '../../../support/fleet/test-fleet.ts';

const SEARCH = 'ab12';

describe('a statement of a process that leads a search, which waits for somebody else', function () {
  this.timeout(60_000);
  let fleet: TestFleet;
  let queues: [leader: FleetQueue, successor: FleetQueue, worker: FleetQueue];
  let epoch = 0;
  before(async () => {
    fleet = await TestFleet.make({ own: true });
    const at = readQueueAddress(fleet.url);
    queues = [await openQueue(at, false), await openQueue(at, false), await openQueue(at, false)];
  });
  after(async () => {
    await Promise.all(queues.map((each) => each.close()));
    await fleet.remove();
  });

  /** Locks rows until what it returns is called. */
  async function locked(sql: string): Promise<() => Promise<void>> {
    const { host, port, database, user = '', ssl } = readQueueAddress(fleet.url);
    const boss = new PgBoss({ host, port, database, user, ssl, schema: 'public', migrate: false });
    const db = boss.getDb() as ReturnType<PgBoss['getDb']> & { open(): Promise<void>; close(): Promise<void> };
    await db.open();
    const transaction = await db.beginTransaction?.();
    assert.ok(transaction);
    await transaction.db.executeSql(sql);
    return async () => {
      await transaction.commit();
      await db.close();
    };
  }

  const waiting = async (): Promise<number> => {
    const [row] = await runSql(fleet.url, 'select count(*)::int as waiting from pg_locks where not granted');
    return Number(row?.['waiting']);
  };

  const STATEMENTS: Record<string, (leader: FleetQueue, call: QueuedCall) => Promise<unknown>> = {
    withdrawUntaken: (leader, call) => leader.withdrawUntaken([call]),
    forget: (leader, call) => leader.forget(SEARCH, [], [call]),
    closeSearch: (leader) => leader.closeSearch(SEARCH),
    withdraw: (leader, call) => leader.withdraw([call]),
  };
  for (const [name, ask] of Object.entries(STATEMENTS))
    it(`is over before another one leads it (${name})`, async () => {
      const [leader, successor, worker] = queues;
      const call = { id: randomUUID(), queue: 'calls.led', payload: { packed: 'a call' }, seconds: 60 };
      assert.equal(await leader.lead({ search: SEARCH, epoch: ++epoch }), true);
      await leader.openSearch(SEARCH, [call.queue]);
      await leader.send(call);
      if (name === 'withdraw') await worker.take(call.queue, 1);
      const free = await locked(
        name === 'closeSearch'
          ? `select from thought_tree.queue where name = '${answersOf(SEARCH)}' for update`
          : `select from thought_tree.job where id = '${call.id}' for update`,
      );
      const order: string[] = [];
      const asked = ask(leader, call).then(() => order.push('done'));
      while ((await waiting()) < 1) assert.deepEqual(order, []);
      const led = successor.lead({ search: SEARCH, epoch: ++epoch }).then(() => order.push('led'));
      while (order.length === 0 && (await waiting()) < 2);
      await free();
      await Promise.all([asked, led]);
      assert.deepEqual(order, ['done', 'led']);
    });
});
