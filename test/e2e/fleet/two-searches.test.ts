import assert from 'node:assert/strict';
import { TestFleet } from '../../support/fleet/test-fleet.ts';
import { endsWith, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import { type LoggedRequest, startScriptedServer } from '../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const { answer } = scriptedTree({ fanout: (_path, depth) => [4, 3][depth] ?? 0, documentWords: 40 });

describe('two searches of two people on one fleet', () => {
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

  it('both reach their own budget, and neither spends anything of the other’s', async () => {
    const server = await startScriptedServer({ answer, latencyMs: 100 });
    const worker = await fleet.worker(server.baseUrl, 'busy', '--slots', '2');
    const budgets = { alpha: { calls: 14, tokens: 1_000_000 }, beta: { calls: 1000, tokens: 40_000 } };
    const people = Object.entries(budgets).map(async ([name, { calls, tokens }]) => {
      const search = await TestSearch.make();
      const limits = ['--max-calls', String(calls), '--max-tokens', String(tokens), '--concurrency', 'fleet'];
      const flags = ['--base-url', server.baseUrl, '--size', 'all', '--queue', fleet.url, ...limits];
      const started = search.command('start', `Why is ${name} slow?`, '--dir', search.folder, '--no-context', ...flags);
      return { name, search, started };
    });
    const log = (name: string): LoggedRequest[] =>
      server.log.filter(({ body }) => body.includes(`Why is ${name} slow?`));
    for (const { name, search, started } of await Promise.all(people)) {
      await endsWith(3, started);
      const { results, reason } = await search.status();
      assert.match(reason ?? '', /could exceed the limit of/);
      assert.equal(results.calls, log(name).length, `calls of ${name}, by its own and the server's count`);
    }
    const [alpha, beta] = [log('alpha'), log('beta')];
    assert.equal(alpha.length + beta.length, server.log.length);
    // One is kept for the report.
    assert.ok(alpha.length >= budgets.alpha.calls - 1 && alpha.length <= budgets.alpha.calls, `${alpha.length} calls`);
    const used = beta.reduce((sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens, 0);
    assert.ok(used <= budgets.beta.tokens && used > budgets.beta.tokens / 3, `${used} tokens`);
    const isMixed = (one: readonly LoggedRequest[], other: readonly LoggedRequest[]): boolean =>
      other.some(({ time }) => time > (one[0]?.time ?? 0) && time < (one.at(-1)?.time ?? 0));
    assert.ok(isMixed(alpha, beta) && isMixed(beta, alpha), 'neither waited for the end of the other');
    worker.kill('SIGTERM');
    await endsWith(0, worker);
    await server.close();
  });
});
