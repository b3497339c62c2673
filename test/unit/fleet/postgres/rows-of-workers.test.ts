import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import { PostgresQueue } from '../../../../src/fleet/postgres/postgres-queue.ts';
import type { LeaderRegistration, WorkerRegistration } from '../../../../src/fleet/protocol.ts';
import type { QueuedCall } from '../../../../src/fleet/queue.ts';
import { pgliteDb } from '../../../support/fleet/pglite-db.ts';
import { until } from '../../../support/until.ts';

const SEARCH = 'ab12';
const QUEUE = 'calls.ab';

describe('what a worker can write into the database', () => {
  let database: PGlite;
  let leader: PostgresQueue;
  let worker: PostgresQueue;
  before(async () => {
    database = await PGlite.create();
    const db = pgliteDb(database);
    leader = await PostgresQueue.on(db, { looksAfter: true });
    worker = await PostgresQueue.on(db, { looksAfter: false });
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

  it('has, in a card, what the database does not know as text replaced', async () => {
    const title = `${'Why? '.repeat(50)}\0 \\u0000 😀`.slice(0, -1);
    const card: LeaderRegistration = { kind: 'leader', protocol: 1, id: 'l1', title, models: [], underWay: 0 };
    await leader.register(card);
    const [shown] = await leader.registrations();
    assert.equal(shown?.kind === 'leader' && shown.title, `${'Why? '.repeat(50)}\ufffd \\u0000 \ufffd`);
    await leader.unregister('l1');
  });

  it('leaves out of a card the calls of a worker that has too many to show', async () => {
    const call = { model: 'ollama/small', node: 'n'.repeat(4000), purpose: 'document', since: 0 };
    const card: WorkerRegistration = {
      ...{ kind: 'worker', protocol: 1, version: '1', id: 'w1', host: 'h', pid: 1, slots: 500, state: 'working' },
      ...{ models: [], calls: Array.from({ length: 500 }, () => call), spent: { calls: 0, tokens: 0, usd: 0 } },
    };
    await leader.register(card);
    const [shown] = await leader.registrations();
    assert.ok(shown?.kind === 'worker' && shown.slots === 500);
    assert.ok(shown.calls.length > 10 && shown.calls.length < 100, String(shown.calls.length));
  });
});
