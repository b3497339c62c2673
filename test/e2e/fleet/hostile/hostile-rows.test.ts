import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readQueueAddress } from '../../../../src/fleet/address.ts';
import { queueOf } from '../../../../src/fleet/names.ts';
import type { LeaderCard, WorkerCard } from '../../../../src/fleet/protocol.ts';
import type { FleetQueue, QueuedCall } from '../../../../src/fleet/queue.ts';
import { openQueue } from '../../../support/fleet/built-queue.ts';
import { runSql, TestFleet } from '../../../support/fleet/test-fleet.ts';
import { endsWith, removeSearches, TestSearch } from '../../../support/searches/e2e-search.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';

const MB = 1024 * 1024;
const LEADER: LeaderCard = { kind: 'leader', protocol: 1, id: 'l1', title: 'Why?', models: [], underWay: 0 };
const WORKER: WorkerCard = {
  ...{ kind: 'worker', protocol: 1, version: '1', id: 'w1', host: 'h', pid: 1, slots: 1, state: 'working' },
  ...{ models: [], calls: [], spent: { calls: 0, tokens: 0, usd: 0 } },
};
const ANSWERS = 'insert into thought_tree.job (name, data, expire_seconds, policy, heartbeat_seconds';

/** What the owner of a PostgreSQL older than 17 or a worker with the role of doc/fleet.md may write into it. */
describe('rows that mean harm', () => {
  let fleet: TestFleet;
  let workerUrl: string;
  let owner: FleetQueue;
  let worker: FleetQueue;
  before(async () => {
    fleet = await TestFleet.make({ own: true });
    await fleet.view();
    for (const [, sql] of readFileSync('doc/fleet.md', 'utf8').matchAll(/```sql\n(.*?)```/gs))
      await runSql(fleet.url, sql ?? '');
    // As doc/fleet.md says for a role of an earlier version.
    const [, sql] = /```sql\n(.*?)```/s.exec(readFileSync('doc/fleet.md', 'utf8')) ?? [];
    await runSql(fleet.url, 'drop owned by tree_worker; drop role tree_worker');
    await runSql(fleet.url, sql ?? '');
    await runSql(fleet.url, 'create role worker_a login in role tree_worker');
    workerUrl = fleet.url.replace('//tree@', '//tree_worker@');
    owner = await openQueue(readQueueAddress(fleet.url), true);
    worker = await openQueue(readQueueAddress(workerUrl), false);
  });
  after(async () => {
    await Promise.all([owner.close(), worker.close()]);
    await fleet.remove();
  });

  const asWorker = (sql: string): Promise<unknown> => runSql(workerUrl, sql);
  const asOwner = (sql: string): ReturnType<typeof runSql> => runSql(fleet.url, sql);
  const callIn = (queue: string): QueuedCall => ({ id: randomUUID(), queue, payload: { packed: 'a' }, seconds: 60 });
  const cardSql = (card: object, id: string, shown: string): string =>
    `insert into thought_tree.fleet_cards (id, card, shown) values ('${id}', '${JSON.stringify(card)}', '${shown}')`;

  for (const shown of ['infinity', '-infinity', '2030-01-01'])
    it(`has a card of the moment when it was shown, not of ${shown}`, async () => {
      for (const write of [asWorker, asOwner]) {
        const id = randomUUID();
        await write(cardSql({ ...WORKER, id }, id, shown));
        const [row] = await asOwner(`select abs(extract(epoch from now() - shown)) < 60 as now
          from thought_tree.fleet_cards where id = '${id}'`);
        assert.deepEqual(row, { now: true });
      }
      await owner.cards();
      await endsWith(0, fleet.command('fleet'));
    });

  it('obeys the caps and shows the fleet whatever cards there are, also of before', async () => {
    // As a database of an earlier version has them.
    await asOwner(`set session_replication_role = replica; ${cardSql({ ...WORKER, id: 'old' }, 'old', 'infinity')}`);
    await owner.setCap({ model: 'openai-compatible/scripted', calls: 2 });
    assert.ok((await worker.cards()).every(({ id }) => id !== 'old'));
    assert.equal((await fleet.view()).caps.length, 1);
    await asOwner("delete from thought_tree.fleet_cards where id = 'old'");
  });

  it('lets no worker write a card of a search, of another one, or without bounds', async () => {
    await owner.showCard(LEADER);
    await worker.showCard(WORKER);
    const other = await openQueue(readQueueAddress(fleet.url.replace('//tree@', '//worker_a@')), false);
    try {
      await other.showCard({ ...WORKER, id: 'w2' });
      await assert.rejects(other.showCard({ ...WORKER, slots: 9 }), /row-level security/);
      await other.removeCard('w1');
    } finally {
      await other.close();
    }
    await assert.rejects(worker.showCard({ ...LEADER, id: 'l2' }), /row-level security/);
    await assert.rejects(worker.showCard({ ...WORKER, id: 'l1' }), /row-level security/);
    await worker.removeCard('l1');
    const named = cardSql({ ...WORKER, id: 'w1' }, 'another', 'now');
    const large = cardSql({ ...WORKER, id: 'large', more: 'x'.repeat(300_000) }, 'large', 'now');
    for (const sql of [named, large]) await assert.rejects(asWorker(sql), /fleet_cards_fit/);
    const shown = (await owner.cards()).filter(({ id }) => /^[lw]\d$/.test(id));
    assert.deepEqual(
      shown.map((each) => [each.id, each.kind === 'worker' ? each.slots : '']),
      [
        ['l1', ''],
        ['w1', 1],
        ['w2', 1],
      ],
    );
  });

  it('gives answers out in parts that a search has room for, and deletes what is too large', async () => {
    await owner.openSearch('ab12', ['calls.ab']);
    await assert.rejects(
      asWorker(
        `${ANSWERS}) values ('answers.ab12', jsonb_build_object('packed', repeat('a', 13000000)), 9, 'standard', null)`,
      ),
      /row-level security/,
    );
    // As a role of an earlier version lets them.
    const row = (packed: string): string =>
      `select 'answers.ab12', jsonb_build_object('packed', ${packed}), 600, 'standard', null::int`;
    const random = `(select string_agg(md5(n::text || m), '') from generate_series(1, ${MB / 16}) m)`;
    await asOwner(`${ANSWERS}) ${row(random)} from generate_series(1, 8) n`);
    await asOwner(`${ANSWERS}) ${row(`repeat('a', ${40 * MB})`)} from generate_series(1, 3)`);
    await asOwner(`${ANSWERS}) ${row(`repeat(chr(1), ${40 * MB})`)}`);
    await asOwner(`${ANSWERS}) ${row("'[1]'::jsonb")}`);
    const keys: string[] = [];
    let large = 0;
    let batches = 0;
    for (;;) {
      const answers = await owner.answers('ab12', batches++ === 0);
      if (answers.length === 0) break;
      const bytes = answers.map(({ payload }) => (payload as { packed: string } | undefined)?.packed.length);
      assert.ok(bytes.reduce<number>((sum, each = 0) => sum + each, 0) <= 4 * MB, String(bytes));
      large += bytes.filter((each) => each === undefined).length;
      keys.push(...answers.map(({ key }) => key));
    }
    assert.deepEqual([keys.length, large], [13, 5]);
    await owner.forget('ab12', keys);
    assert.deepEqual(await asOwner("select id from thought_tree.job where name = 'answers.ab12'"), []);
  });

  it('lets answers be taken again however often somebody says that they were', async () => {
    await owner.openSearch('ab13', []);
    await asOwner(`${ANSWERS}, retry_count, started_on)
      values ('answers.ab13', '{"packed": "a"}', 9, 'standard', null, 2147483647, now())`);
    assert.equal((await owner.answers('ab13')).length, 1);
    assert.equal((await owner.answers('ab13', true)).length, 1);
  });

  it('has times that the look for silent workers can count with', async () => {
    const call = callIn('calls.times');
    await owner.openSearch('ab14', [call.queue]);
    await owner.send(call);
    assert.equal((await worker.take(call.queue, 1)).length, 1);
    const set = (how: string): Promise<unknown> =>
      asWorker(`update thought_tree.job set ${how} where id = '${call.id}'`);
    for (const column of ['started_on', 'heartbeat_on', 'completed_on'])
      for (const time of ['infinity', '-infinity', '294276-12-31', '4000-01-01 BC'])
        await assert.rejects(set(`${column} = '${time}'`), /row-level security/, `${column} = ${time}`);
    await assert.rejects(set('retry_count = 2147483647'), /row-level security/);
    await assert.rejects(set("state = 'completed', completed_on = null"), /row-level security/);
    await set('heartbeat_on = now()');
    for (const column of ['keep_until', 'started_on', 'completed_on', 'created_on', 'start_after'])
      await assert.rejects(
        asWorker(`${ANSWERS}, ${column}) values ('answers.ab14', '{}', 9, 'standard', null, 'infinity')`),
        /permission denied|row-level security/,
      );
  });

  it('counts towards caps what somebody says, and gets over it', async () => {
    const cap = { model: 'm', calls: 5, usdAMinute: 1 };
    const taken = (usd: string, at: string): Promise<unknown> =>
      asWorker(
        `insert into thought_tree.fleet_taken (id, model, usd, at) values (gen_random_uuid(), 'm', '${usd}', '${at}')`,
      );
    for (const usd of ['1e308', 'infinity', 'nan', '-1']) await assert.rejects(taken(usd, 'now'), /violates check/);
    for (const at of ['infinity', '-infinity', '2030-01-01']) await taken('1e8', at);
    assert.deepEqual(await owner.counted(cap), { calls: 0, usd: 0 });
    await asWorker("insert into thought_tree.fleet_rates values ('a', 'm', 'infinity')");
    assert.deepEqual(await owner.rates(), []);
    await assert.rejects(
      asWorker(`insert into thought_tree.fleet_rates values (repeat('a', 300), 'm', now())`),
      /fleet_rates_fit/,
    );
  });

  it('ends no search that names its price before it has begun', async () => {
    const { answer } = scriptedTree({ fanout: (_path, depth) => [2, 1][depth] ?? 0, documentWords: 40 });
    const search = await TestSearch.make({ answer });
    const name = 'openai-compatible/scripted';
    const queue = queueOf(name, new URL(search.server.baseUrl).origin);
    const million = { prompt: 1e6, cached: 1e6, completion: 1e6 };
    const model = { queue, name, price: million, contextTokens: 1, thinking: { usual: 1e12, low: 1e12 } };
    const evil = { ...WORKER, id: 'evil', models: [{ ...model, free: false, tools: true, warmsCache: false }] };
    await worker.showCard(evil);
    const shows = setInterval(() => void worker.showCard(evil).catch(() => undefined), 1000);
    try {
      const honest = await fleet.worker(search.server.baseUrl, 'honest');
      const { stderr } = await endsWith(
        0,
        search.start('--size', 'all', '--queue', fleet.url, '--price', '1,1,10', '--max-usd', '5'),
      );
      assert.match(stderr, /costs more than 4 times what is known here/);
      honest.kill('SIGTERM');
      await endsWith(0, honest);
    } finally {
      clearInterval(shows);
      await worker.removeCard('evil');
      await removeSearches();
    }
  });

  it('are kept out of a database of an earlier version once its owner is there, and workers need not be', async () => {
    const guards = `select to_regprocedure('thought_tree.fleet_card_shown()') is not null as guarded`;
    await asOwner(`drop function thought_tree.fleet_card_shown() cascade;
      alter table thought_tree.fleet_cards drop constraint fleet_cards_fit`);
    const early = await openQueue(readQueueAddress(workerUrl), false);
    await early.showCard({ ...WORKER, id: 'early' });
    await early.close();
    assert.deepEqual(await asOwner(guards), [{ guarded: false }]);
    await fleet.view();
    assert.deepEqual(await asOwner(guards), [{ guarded: true }]);
    await assert.rejects(asWorker(cardSql(WORKER, 'another', 'now')), /fleet_cards_fit/);
  });
});
