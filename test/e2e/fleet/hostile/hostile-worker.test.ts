import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { runSql, TestFleet } from '../../../support/fleet/test-fleet.ts';
import { endsWith, removeSearches, TestSearch } from '../../../support/searches/e2e-search.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';

const { answer } = scriptedTree({ fanout: (_path, depth) => [4, 3, 2][depth] ?? 0, documentWords: 40 });
const NODES = 4 + 4 * 3 + 4 * 3 * 2;
const MOST = { calls: 400, tokens: 20_000_000, usd: 50 };

interface Deed {
  readonly deed: string;
  readonly node: string;
  readonly purpose: string;
}

describe('a search with a hostile worker among honest ones', () => {
  let fleet: TestFleet;
  let evil: ChildProcess | undefined;
  before(async () => {
    fleet = await TestFleet.make({ own: true });
    await fleet.view();
    const [, sql] = /```sql\n(.*?)```/s.exec(readFileSync('doc/fleet.md', 'utf8')) ?? [];
    await runSql(fleet.url, sql ?? '');
  });
  afterEach(async () => {
    evil?.kill('SIGKILL');
    await removeSearches();
  });
  after(() => fleet.remove());

  it('loses no node, passes no limit, and has its words only where it took the call', async () => {
    // So slow that on a busy machine, too, enough calls wait for it to do each of its deeds.
    const search = await TestSearch.make({ answer, latencyMs: 1000 });
    const url = fleet.url.replace('//tree@', '//tree_worker@');
    const names = ['a', 'b', 'c'];
    const workers = await Promise.all(
      names.map((name) => fleet.workerAt(url, search.server.baseUrl, name, '--slots', '1')),
    );
    const { origin } = new URL(search.server.baseUrl);
    const script = 'test/support/fleet/hostile-worker.ts';
    evil = spawn(process.execPath, [script, url, 'openai-compatible/scripted', origin], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    const { promise: isReady, resolve: ready } = Promise.withResolvers<void>();
    evil.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      ready();
    });
    await isReady;
    const limits = [
      '--price',
      '1,1,10',
      '--max-usd',
      String(MOST.usd),
      '--max-calls',
      String(MOST.calls),
      '--max-tokens',
      String(MOST.tokens),
    ];
    const flags = ['--size', 'all', '--queue', fleet.url, '--concurrency', '8', ...limits];
    await endsWith(0, search.start(...flags));
    evil.kill('SIGKILL');
    await once(evil, 'close');

    const deeds = printed
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line) as Deed);
    assert.ok(deeds.length >= 13, `it did only ${deeds.length} things`);
    assert.equal(new Set(deeds.map(({ deed }) => deed)).size, 13);
    const { results, nodes, problems } = await search.status();
    assert.deepEqual([nodes.filter(({ path }) => path !== '').length, problems], [NODES, []]);
    assert.deepEqual(
      nodes.filter(({ status }) => status === 'failed'),
      [],
    );

    const alone = await TestSearch.make({ answer });
    await endsWith(0, alone.start('--size', 'all'));
    const [tree, honest] = [await search.tree(), await alone.tree()];
    const isText = (path: string): boolean => /(^|\/)(document\.md|children\.json)$/.test(path);
    assert.deepEqual(Object.keys(tree).filter(isText).sort(), Object.keys(honest).filter(isText).sort());
    const spoilt = Object.keys(honest).filter((path) => isText(path) && tree[path] !== honest[path]);
    const took = deeds.filter(({ purpose }) => purpose === 'document').map(({ node }) => node);
    for (const path of spoilt)
      assert.ok(
        took.some((node) => path === `${node}/document.md`),
        `${path} of ${took.join()}`,
      );
    assert.ok(spoilt.length > 0, 'some of what it said was used, as what a model says is');

    const { log, billed } = search.server;
    assert.ok(results.calls <= MOST.calls && results.calls >= log.length, `${results.calls} calls of ${log.length}`);
    const { prompt, completion, worstCase } = results.tokens;
    const counted = prompt + completion + worstCase;
    assert.ok(results.usd <= MOST.usd, `${results.usd} dollars`);
    assert.ok(counted <= MOST.tokens && counted >= billed.prompt + billed.completion, `${counted} tokens`);
    for (const worker of workers) worker.kill('SIGTERM');
    for (const worker of workers) await endsWith(0, worker);
  });
});
