import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import { BossQueue } from '../../../../src/fleet/boss/boss-queue.ts';
import type { QueuedCall } from '../../../../src/fleet/queue.ts';
import { until } from '../../../support/fleet/fake-fleet.ts';
import { pgliteDb } from '../../../support/fleet/pglite-db.ts';

const SEARCH = 'ab12';
const QUEUE = 'calls.ab';

describe('what a worker can write into the table of jobs', function () {
  this.timeout(60_000);
  let database: PGlite;
  let leader: BossQueue;
  let worker: BossQueue;
  before(async () => {
    database = await PGlite.create();
    const db = pgliteDb(database);
    leader = await BossQueue.on(db, { looksAfter: true });
    worker = await BossQueue.on(db, { looksAfter: false });
    await leader.openSearch(SEARCH, [QUEUE]);
  });
  after(async () => {
    await leader.close();
    await worker.close();
    await database.close();
  });

  async function sent(): Promise<QueuedCall> {
    const call = { id: randomUUID(), queue: QUEUE, payload: { packed: 'a call' }, seconds: 30 };
    await leader.send(call);
    return call;
  }

  it('has no call made once more that nobody booked', async () => {
    const call = await sent();
    assert.equal((await worker.take(QUEUE, 1)).length, 1);
    const job = `from thought_tree.job where id = '${call.id}'`;
    await database.exec(`update thought_tree.job set retry_count = -9, heartbeat_on = now() - interval '1 day'
      where id = '${call.id}'`);
    let state: unknown;
    await until(() => {
      void database.query(`select state::text ${job}`).then(({ rows }) => {
        state = (rows[0] as { state: string }).state;
      });
      return state === 'retry';
    });
    assert.deepEqual(await worker.take(QUEUE, 1), []);
    assert.equal((await leader.states([call])).get(call.id), 'lost');
  });

  it('has an answer delete no call, whatever it is called', async () => {
    const call = await sent();
    await database.exec(`insert into thought_tree.job (id, name, data, policy, retry_limit, expire_seconds, deletion_seconds, keep_until)
      values ('${call.id}', 'answers.${SEARCH}', '{"packed": "an answer"}', 'standard', 0, 900, 9000, now() + interval '1 day')`);
    const [answer, ...more] = await leader.answers(SEARCH);
    assert.ok(answer?.key === call.id && more.length === 0);
    const answered = { id: randomUUID(), queue: QUEUE };
    await leader.forget(SEARCH, [answer.key], [answered]);
    assert.equal((await leader.states([call])).get(call.id), 'waiting');
    assert.deepEqual(await leader.answers(SEARCH, true), []);
  });
});
