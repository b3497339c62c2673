import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { runSql, TestFleet } from '../../support/fleet/test-fleet.ts';
import { endsWith, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const { answer } = scriptedTree({ fanout: (_path, depth) => [3, 2][depth] ?? 0, documentWords: 40 });

describe('the role for workers that doc/fleet.md makes', function () {
  this.timeout(300_000);
  let fleet: TestFleet;
  let url: string;
  before(async () => {
    fleet = await TestFleet.make({ own: true });
    url = fleet.url.replace('//tree@', '//tree_worker@');
    // Whoever may make the schema comes first.
    await fleet.view();
    const [, sql] = /```sql\n(.*?)```/s.exec(readFileSync('doc/fleet.md', 'utf8')) ?? [];
    assert.ok(sql);
    await runSql(fleet.url, sql);
  });
  after(() => fleet.remove());
  afterEach(removeSearches);

  it('is enough to work', async () => {
    const search = await TestSearch.make({ answer });
    const worker = await fleet.workerAt(url, search.server.baseUrl, 'restricted');
    await endsWith(0, search.start('--size', 'all', '--queue', fleet.url));
    assert.ok(search.server.log.every(({ authorization }) => authorization === 'Bearer restricted'));
    worker.kill('SIGTERM');
    await endsWith(0, worker);
  });

  for (const sql of [
    'drop schema thought_tree cascade',
    'create table thought_tree.mine (a int)',
    'delete from thought_tree.job',
    'delete from thought_tree.queue',
    'truncate thought_tree.job_common',
    "insert into thought_tree.queue (name) values ('mine')",
    'create or replace function thought_tree.job_now() returns timestamptz language sql as $$ select now() $$',
  ])
    it(`does not allow ${sql.slice(0, 40)}`, async () => {
      await assert.rejects(runSql(url, sql), /permission denied|must be owner/);
    });
});
