import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { runSql, TestFleet } from '../../support/fleet/test-fleet.ts';
import { endsWith, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

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
});
