import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { runSql, TestFleet } from '../../../support/fleet/test-fleet.ts';
import { endsWith, removeSearches, TestSearch } from '../../../support/searches/e2e-search.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';

const { answer } = scriptedTree({ fanout: (_path, depth) => [3, 2][depth] ?? 0, documentWords: 40 });

/** Before `fleet_leads` there was no such table, and doc/fleet.md gave nobody a right to it. */
describe('a database of an earlier version', () => {
  let fleet: TestFleet;
  let workerUrl: string;
  let searchUrl: string;
  before(async () => {
    fleet = await TestFleet.make({ own: true });
    await fleet.view();
    await runSql(fleet.url, 'drop table thought_tree.fleet_leads');
    const [worker, search] = [...readFileSync('doc/fleet.md', 'utf8').matchAll(/```sql\n(.*?)```/gs)];
    assert.ok(worker?.[1] && search?.[1]);
    for (const sql of [worker[1], search[1].replace(', thought_tree.fleet_leads', '')]) await runSql(fleet.url, sql);
    workerUrl = fleet.url.replace('//tree@', '//tree_worker@');
    searchUrl = fleet.url.replace('//tree@', '//tree_search@');
  });
  after(() => fleet.remove());
  afterEach(removeSearches);

  const card = (id: string, shown: string): Promise<unknown> =>
    runSql(
      fleet.url,
      `set session_replication_role = replica; insert into thought_tree.fleet_cards (id, card, shown)
        values ('${id}', '{"id": "${id}", "kind": "leader"}', ${shown})`,
    );
  const registrations = async (): Promise<unknown[]> =>
    (await runSql(fleet.url, 'select id from thought_tree.fleet_cards order by id')).map(({ id }) => id);

  it('lets a worker work before its owner has made what only searches need', async () => {
    const search = await TestSearch.make({ answer });
    await fleet.workerAt(workerUrl, search.server.baseUrl, 'first');
    const refused = await endsWith(4, search.start('--queue', searchUrl));
    assert.match(refused.stderr, /cannot be used by this role: .*Its owner makes the queue first/);
  });

  it('keeps the cards of those that live while its owner makes what is missing', async () => {
    await card('live', 'now()');
    await fleet.view();
    assert.ok((await registrations()).includes('live'));
    const [made] = await runSql(fleet.url, "select to_regclass('thought_tree.fleet_leads') is not null as made");
    assert.deepEqual(made, { made: true });
    await runSql(fleet.url, "delete from thought_tree.fleet_cards where id = 'live'");
  });

  it('says to a search whose role lacks a right what to do, instead of waiting for it', async () => {
    const search = await TestSearch.make({ answer });
    await runSql(fleet.url, 'revoke all on thought_tree.fleet_leads from tree_search, tree_worker');
    const worker = await fleet.workerAt(workerUrl, search.server.baseUrl, 'restricted');
    const refused = await endsWith(4, search.start('--queue', searchUrl));
    assert.match(refused.stderr, /cannot be used by this role: .*fleet_leads.* as doc\/fleet\.md shows/);
    assert.deepEqual(search.server.log, []);
    worker.kill('SIGTERM');
    await endsWith(0, worker);
  });

  it('is tidied by such a role all the same', async () => {
    await card('dead', "now() - interval '3 days'");
    await endsWith(0, fleet.command('fleet', '--queue', searchUrl));
    assert.ok(!(await registrations()).includes('dead'));
  });
});
