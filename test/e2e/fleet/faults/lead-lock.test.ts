import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import { readQueueAddress } from '../../../../src/fleet/address.ts';
import { answersOf } from '../../../../src/fleet/names.ts';
import type { FleetQueue, QueuedCall } from '../../../../src/fleet/queue.ts';
import { openQueue } from '../../../support/fleet/built-queue.ts';
import { runSql, TestFleet } from '../../../support/fleet/test-fleet.ts';

const SEARCH = 'ab12';

describe('a statement of a process that leads a search, which waits for somebody else', () => {
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

  /** How many wait in a row, each for the one before: a statement for the rows that are locked, another for that statement. */
  const waiting = async (): Promise<number> => {
    const sql =
      'select pid, pg_blocking_pids(pid) as by from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0';
    const blocked = new Map((await runSql(fleet.url, sql)).map(({ pid, by }) => [Number(pid), by as number[]]));
    const rowOf = (pid: number): number => Math.max(0, ...(blocked.get(pid) ?? []).map((each) => 1 + rowOf(each)));
    return Math.max(0, ...[...blocked.keys()].map(rowOf));
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
      const over: string[] = [];
      const asked = ask(leader, call).then(() => over.push('the statement'));
      while (over.length === 0 && (await waiting()) < 1);
      const led = successor.lead({ search: SEARCH, epoch: ++epoch }).then(() => over.push('the taking over'));
      while (over.length === 0 && (await waiting()) < 2);
      // Which answer arrives first later says nothing: they come by two connections, and to withdraw is several statements.
      assert.deepEqual(over, []);
      await free();
      await Promise.all([asked, led]);
    });
});
