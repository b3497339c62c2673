import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readQueueAddress } from '../../../src/fleet/address.ts';
import type { LeaderRegistration } from '../../../src/fleet/protocol.ts';
import { openQueue } from '../../support/fleet/built-queue.ts';
import { runSql, TestFleet } from '../../support/fleet/test-fleet.ts';
import { endsWith } from '../../support/searches/e2e-search.ts';

const CALLS = 'calls.kept';
const CARD: LeaderRegistration = {
  ...{ kind: 'leader', protocol: 1, title: 'A question that is mine.', models: [], underWay: 0 },
  ...{ id: 'killed', search: 'dead01' },
};

describe('what killed searches leave in the database', () => {
  let fleet: TestFleet;
  before(async () => {
    fleet = await TestFleet.make({ own: true });
    await fleet.view();
    for (const [, sql] of readFileSync('doc/fleet.md', 'utf8').matchAll(/```sql\n(.*?)```/gs))
      await runSql(fleet.url, sql ?? '');
    // As if a search had been killed that had sent calls: one that nobody took, and one whose answer nobody read.
    const queue = await openQueue(readQueueAddress(fleet.url), false);
    try {
      await queue.openSearch('dead01', [CALLS]);
      await queue.register(CARD);
      const [waiting, answered] = [randomUUID(), randomUUID()].map((id) => ({ id, queue: CALLS }));
      assert.ok(waiting && answered);
      await queue.send({ ...answered, payload: { packed: 'a prompt' }, seconds: 60 });
      await queue.take(CALLS, 1);
      await queue.answer(answered, 'dead01', { packed: 'an answer' }, 'w');
      await queue.send({ ...waiting, payload: { packed: 'a prompt' }, seconds: 60 });
      await queue.noteRate({ account: 'a', model: 'm', ms: 1000 });
    } finally {
      await queue.close();
    }
  });
  after(() => fleet.remove());

  const pass = (days: number): Promise<unknown> => {
    const older = (table: string, ...columns: string[]): string =>
      `update thought_tree.${table} set ${columns.map((each) => `${each} = ${each} - interval '${days} days'`).join()};`;
    return runSql(
      fleet.url,
      `set session_replication_role = replica;
      ${older('job', 'created_on', 'start_after', 'started_on', 'completed_on', 'heartbeat_on', 'keep_until')}
      ${older('queue', 'created_on', 'updated_on', 'maintain_on', 'monitor_on', 'monitor_claim_on')}
      ${older('fleet_cards', 'shown')} ${older('fleet_rates', 'until')}`,
    );
  };

  const left = async (): Promise<Record<string, unknown> | undefined> => {
    const [row] = await runSql(
      fleet.url,
      `select (select string_agg(name || ' ' || state, ', ' order by name, state::text) from thought_tree.job) as jobs,
        (select count(*)::int from thought_tree.queue where name like 'answers.%' or name like 'calls.%') as queues,
        (select count(*)::int from thought_tree.fleet_cards) as registrations,
        (select count(*)::int from thought_tree.fleet_rates) as rates`,
    );
    return row;
  };

  const look = async (user: string): Promise<void> => {
    await endsWith(0, fleet.command('fleet', '--queue', fleet.url.replace('//tree@', `//${user}@`)));
  };

  it('stays where only workers look at it', async () => {
    await pass(20);
    await look('tree_worker');
    const jobs = 'answers.dead01 created, calls.kept completed, calls.kept created';
    assert.deepEqual(await left(), { jobs, queues: 2, registrations: 1, rates: 1 });
    await pass(-20);
  });

  it('stays for six days, but for what only was so at a moment', async () => {
    await pass(0.5);
    await look('tree');
    assert.deepEqual(await left(), {
      jobs: 'answers.dead01 created, calls.kept created',
      queues: 2,
      registrations: 1,
      rates: 1,
    });
    await pass(5.5);
    await look('tree_search');
    assert.deepEqual(await left(), {
      jobs: 'answers.dead01 created, calls.kept created',
      queues: 2,
      registrations: 0,
      rates: 0,
    });
  });

  it('is gone after a week, once somebody looks at the fleet who may search', async () => {
    await pass(1.5);
    await look('tree_search');
    assert.deepEqual(await left(), { jobs: null, queues: 0, registrations: 0, rates: 0 });
  });

  it('goes with the start of a search, too, unless a search lives that waits for answers', async () => {
    const queue = await openQueue(readQueueAddress(fleet.url), false);
    try {
      await queue.openSearch('dead02', ['calls.dead', 'calls.wanted']);
      await queue.openSearch('live01', ['calls.live']);
      await pass(8);
      const card: LeaderRegistration = {
        ...CARD,
        id: 'live',
        search: 'live01',
        models: [{ name: 'm', queue: 'calls.live' }],
      };
      await queue.register(card);
      // What anybody may have written there is no reason to fail.
      await runSql(
        fleet.url,
        `insert into thought_tree.fleet_cards (id, card) values
          ('worker', '{"id": "worker", "models": [1, {"queue": "calls.wanted"}]}'), ('odd', '{"id": "odd", "models": "?"}')`,
      );
      await queue.tidy();
      // One that was resumed after a week gets its answers all the same.
      await queue.answer({ id: randomUUID(), queue: 'calls.live' }, 'live01', { packed: 'late' }, 'w');
      assert.equal((await queue.answers('live01')).length, 1);
    } finally {
      await queue.close();
    }
    const queues = await runSql(
      fleet.url,
      "select name from thought_tree.queue where name ~ '^(answers|calls)' order by name",
    );
    assert.deepEqual(
      queues.map(({ name }) => name),
      ['answers.live01', 'calls.live', 'calls.wanted'],
    );
  });
});
