import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readQueueAddress } from '../../../../src/fleet/address.ts';
import { openQueue } from '../../../support/fleet/built-queue.ts';
import { runSql, TestFleet } from '../../../support/fleet/test-fleet.ts';
import { endsWith, removeSearches, TestSearch } from '../../../support/searches/e2e-search.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';

const { answer } = scriptedTree({ fanout: (_path, depth) => [3, 2][depth] ?? 0, documentWords: 40 });

describe('the roles that doc/fleet.md makes', () => {
  let fleet: TestFleet;
  let url: string;
  let searchUrl: string;
  before(async () => {
    fleet = await TestFleet.make({ own: true });
    url = fleet.url.replace('//tree@', '//tree_worker@');
    // Whoever may make the schema comes first.
    await fleet.view();
    const [worker, search] = [...readFileSync('doc/fleet.md', 'utf8').matchAll(/```sql\n(.*?)```/gs)];
    assert.ok(worker?.[1] && search?.[1]);
    for (const sql of [worker[1], search[1]]) await runSql(fleet.url, sql);
    searchUrl = fleet.url.replace('//tree@', '//tree_search@');
  });
  after(() => fleet.remove());
  afterEach(removeSearches);

  it('are enough to search and to work', async () => {
    const search = await TestSearch.make({ answer });
    const worker = await fleet.workerAt(url, search.server.baseUrl, 'restricted');
    await endsWith(0, search.start('--size', 'all', '--queue', searchUrl));
    assert.ok(search.server.log.every(({ authorization }) => authorization === 'Bearer restricted'));
    worker.kill('SIGTERM');
    await endsWith(0, worker);
  });

  it('may not set caps', async () => {
    for (const each of [url, searchUrl]) {
      const set = fleet.command('fleet', '--queue', each, '--cap', 'openai-compatible/scripted', '--calls', '9');
      assert.match((await endsWith(6, set)).stderr, /Only the owner of the queue/);
    }
    await endsWith(0, fleet.command('fleet', '--cap', 'openai-compatible/scripted', '--calls', '9'));
    assert.match((await endsWith(0, fleet.command('fleet', '--queue', url))).stdout, /cap of 9 calls/);
  });

  it('shows a worker no answers', async () => {
    const owner = await openQueue(readQueueAddress(fleet.url), false);
    await owner.openSearch('ab12', ['calls.ab']);
    const taker = await openQueue(readQueueAddress(url), false);
    try {
      await taker.answer({ id: randomUUID(), queue: 'calls.ab' }, 'ab12', { packed: 'an answer' }, 'w');
      assert.deepEqual(await taker.answers('ab12', true), []);
      assert.equal((await owner.answers('ab12', true)).length, 1);
    } finally {
      await Promise.all([owner.close(), taker.close()]);
    }
  });

  it('lets a worker put no call back, so that nobody makes it once more', async () => {
    const owner = await openQueue(readQueueAddress(fleet.url), false);
    const taker = await openQueue(readQueueAddress(url), false);
    const call = { id: randomUUID(), queue: 'calls.back' };
    const again = (how: string): Promise<unknown> =>
      runSql(url, `update thought_tree.job set ${how} where id = '${call.id}'`);
    try {
      await owner.openSearch('ab13', [call.queue]);
      await owner.send({ ...call, payload: { packed: 'a call' }, seconds: 60 });
      await assert.rejects(again('retry_count = 2147483647'), /row-level security/);
      assert.equal((await taker.take(call.queue, 1)).length, 1);
      for (const how of ["state = 'created'", "state = 'retry'", 'retry_count = -1'])
        await assert.rejects(again(how), /row-level security/, how);
      await taker.answer(call, 'ab13', { packed: 'an answer' }, randomUUID());
      await again("state = 'active'").catch(() => undefined);
      assert.equal((await owner.states([call])).get(call.id), 'answered');
    } finally {
      await Promise.all([owner.close(), taker.close()]);
    }
  });

  for (const sql of [
    "update thought_tree.job_common set data = '{}'",
    "update thought_tree.job set name = 'calls.mine'",
    "insert into thought_tree.job_common (name, data) values ('calls.mine', '{}')",
    "insert into thought_tree.fleet_leads values ('ab12', 9)",
    'update thought_tree.fleet_leads set epoch = 9',
    'delete from thought_tree.fleet_leads',
    "insert into thought_tree.fleet_rules values ('cap a', '{}')",
    "update thought_tree.fleet_rules set rule = '{}'",
    'delete from thought_tree.fleet_rules',
    'drop schema thought_tree cascade',
    'create table thought_tree.mine (a int)',
    'delete from thought_tree.job',
    'delete from thought_tree.queue',
    'truncate thought_tree.job_common',
    "insert into thought_tree.queue (name) values ('mine')",
    'create or replace function thought_tree.job_now() returns timestamptz language sql as $$ select now() $$',
  ])
    it(`do not allow a worker ${sql.slice(0, 60)}`, async () => {
      await assert.rejects(runSql(url, sql), /permission denied|must be owner|row-level security/);
    });
});
