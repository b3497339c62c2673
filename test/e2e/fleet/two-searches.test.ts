import assert from 'node:assert/strict';
import { TestFleet } from '../../support/fleet/test-fleet.ts';
import { endsWith, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import { startScriptedServer } from '../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const { answer } = scriptedTree({ fanout: (_path, depth) => [4, 3][depth] ?? 0, documentWords: 40 });

describe('two searches of two people on one fleet', function () {
  this.timeout(300_000);
  let fleet: TestFleet;
  before(async () => {
    fleet = await TestFleet.make();
  });
  after(() => fleet.remove());
  afterEach(removeSearches);

  it('both go on at any time, each within its own limits', async () => {
    const server = await startScriptedServer({ answer, latencyMs: 150 });
    const [large, small] = [await TestSearch.make(), await TestSearch.make()];
    const worker = await fleet.worker(server.baseUrl, 'shared', '--slots', '2');
    const flags = ['--base-url', server.baseUrl, '--size', 'all', '--queue', fleet.url];
    const first = large.start(...flags, '--concurrency', '16');
    await server.until((log) => log.length >= 4);
    const second = small.start(...flags, '--max-calls', '9');
    await endsWith(3, second);
    assert.equal(first.isOver, false, 'the small one did not have to wait for the large one');
    await endsWith(0, first);
    assert.ok((await small.status()).results.calls <= 9);
    const made = (search: TestSearch): number =>
      search.journal().filter((event) => event.type === 'call-ended' && event.charged).length;
    assert.equal(made(large) + made(small), server.log.length);
    worker.kill('SIGTERM');
    await endsWith(0, worker);
    await server.close();
  });
});
