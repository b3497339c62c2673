import assert from 'node:assert/strict';
import { runSql, TestFleet } from '../../support/fleet/test-fleet.ts';
import { endsWith, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import type { ScriptedServer } from '../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const { answer } = scriptedTree({ fanout: (_path, depth) => [6, 2][depth] ?? 0, documentWords: 40 });
const MODEL = 'openai-compatible/scripted';

describe("the caps of a fleet's owner", () => {
  let fleet: TestFleet;
  before(async () => {
    fleet = await TestFleet.make();
  });
  after(() => fleet.remove());
  afterEach(removeSearches);

  it('hold for all workers and searches together until they are removed', async () => {
    const searches = [await TestSearch.make({ answer, latencyMs: 60 }), await TestSearch.make()];
    const server = searches[0]?.server as ScriptedServer;
    await endsWith(0, fleet.command('fleet', '--cap', MODEL, '--calls', '2'));
    const workers = await Promise.all(['a', 'b', 'c'].map((name) => fleet.worker(server.baseUrl, name)));
    const flags = ['--base-url', server.baseUrl, '--size', 'all', '--queue', fleet.url, '--concurrency', '8'];
    const running = searches.map((search) => search.start(...flags));
    for (const each of running) await endsWith(0, each);
    assert.equal(server.peak.all, 2);
    assert.equal(new Set(server.log.map(({ authorization }) => authorization)).size, 3, 'all workers had a part in it');

    const { caps } = await fleet.view();
    assert.deepEqual(caps, [{ model: MODEL, calls: 2, underWay: 0, spent: 0 }]);
    const { stdout } = await endsWith(0, fleet.command('fleet', '--uncap', MODEL));
    assert.doesNotMatch(stdout, /cap of/);
    const free = await TestSearch.make();
    await endsWith(0, free.start(...flags));
    assert.ok(server.peak.all > 2, `${server.peak.all} at the same time`);
    for (const worker of workers) worker.kill('SIGTERM');
    for (const worker of workers) await endsWith(0, worker);
  });

  it('hold for the money that calls may cost', async () => {
    const search = await TestSearch.make({ answer, latencyMs: 60 });
    const { stdout } = await endsWith(0, fleet.command('fleet', '--cap', MODEL, '--usd-a-minute', '2'));
    assert.match(stdout, /scripted has a cap of \$2\.00 a minute; \$0\.00 in the last one/);
    const price = ['--price', '1,1,100'];
    const workers = await Promise.all(['d', 'e'].map((name) => fleet.worker(search.server.baseUrl, name, ...price)));
    const limits = ['--size', 'all', '--max-usd', '100', ...price];
    await endsWith(0, search.start('--queue', fleet.url, '--concurrency', '8', ...limits));
    const { log, peak } = search.server;
    const least = Math.min(...log.map(({ maxTokens = 0 }) => maxTokens)) * 1e-4;
    assert.ok(peak.all >= 2 && peak.all * least <= 2, `${peak.all} calls of ${least} dollars or more`);
    const [cap] = (await fleet.view()).caps;
    assert.ok(cap && cap.spent > 0 && cap.spent <= 2 && cap.underWay === 0, JSON.stringify(cap));
    for (const worker of workers) worker.kill('SIGTERM');
    for (const worker of workers) await endsWith(0, worker);
    await endsWith(0, fleet.command('fleet', '--uncap', MODEL));
  });

  it('are explained where they are named wrongly', async () => {
    for (const [flags, why] of [
      [['--cap', MODEL], /--calls N, --usd-a-minute DOLLARS, or both/],
      [['--calls', '2'], /--cap PROVIDER\/MODEL with/],
      [['--cap', 'somebody', '--calls', '2'], /somebody/],
      [['--cap', MODEL, '--calls', '-1'], /whole number|--calls/],
    ] as const) {
      const { stderr } = await endsWith(2, fleet.command('fleet', ...flags));
      assert.match(stderr, why);
    }
  });

  it('tells a worker of another version what to do, before it begins and while it works', async () => {
    const search = await TestSearch.make({ answer });
    const worker = await fleet.worker(search.server.baseUrl, 'old');
    await runSql(
      fleet.url,
      `insert into thought_tree.fleet_rules values ('version', '{"kind":"version","protocol":2,"program":"9.8.7"}')
        on conflict (name) do update set rule = excluded.rule`,
    );
    const { stderr } = await endsWith(1, worker);
    assert.match(stderr, /are of version 9\.8\.7 .*Install version 9\.8\.7 here/);
    await assert.rejects(fleet.worker(search.server.baseUrl, 'old'), /Install version 9\.8\.7 here/);
    const old = await endsWith(1, search.start('--queue', fleet.url));
    assert.match(old.stderr, /newer version \(9\.8\.7/);
    await runSql(fleet.url, "delete from thought_tree.fleet_rules where name = 'version'");
  });
});
