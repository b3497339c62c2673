import assert from 'node:assert/strict';
import type { CliProcess } from '../../support/cli-process.ts';
import { TestFleet } from '../../support/fleet/test-fleet.ts';
import { endsWith, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import { type LoggedRequest, type ScriptedServer, startScriptedServer } from '../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const { answer } = scriptedTree({ fanout: (_path, depth) => [8, 3][depth] ?? 0, documentWords: 40 });
/** Dollars for a million tokens of any kind; one who asks for more than four times as much is not believed. */
const [DEAR, CHEAP] = [20, 8];
const MAX_USD = 0.5;
const priced = (rate: number): string[] => ['--price', `${rate},${rate},${rate}`];

describe('the money of a search with a fleet', () => {
  let fleet: TestFleet;
  let server: ScriptedServer;
  let workers: CliProcess[];
  before(async () => {
    fleet = await TestFleet.make();
  });
  after(() => fleet.remove());
  afterEach(async () => {
    for (const worker of workers) worker.kill('SIGTERM');
    for (const worker of workers) await endsWith(0, worker);
    await removeSearches();
    await server.close();
  });

  const start = (search: TestSearch, ...flags: string[]): CliProcess =>
    search.start('--base-url', server.baseUrl, '--size', 'all', '--queue', fleet.url, ...flags);

  for (const [who, ofWorker, ofPerson] of [
    ['its worker', DEAR, CHEAP],
    ['its person', CHEAP, DEAR],
  ] as const)
    it(`is counted at the price that ${who} knows, which is the dearer one`, async () => {
      server = await startScriptedServer({ answer });
      workers = [await fleet.worker(server.baseUrl, `priced-${ofWorker}`, ...priced(ofWorker))];
      const search = await TestSearch.make();
      await endsWith(3, start(search, ...priced(ofPerson), '--max-usd', String(MAX_USD)));
      const { prompt, completion } = server.billed;
      const usd = ((prompt + completion) * DEAR) / 1e6;
      const { results } = await search.status();
      assert.ok(Math.abs(results.usd - usd) < 1e-9, `${results.usd} dollars are shown, ${usd} were used`);
      assert.ok(usd <= MAX_USD && usd > MAX_USD / 2, `${usd} dollars until the limit was reached`);
    });

  it('is not risked on a server that nobody has checked by several workers at once, either', async () => {
    server = await startScriptedServer({ answer, latencyMs: 100 });
    workers = await Promise.all(['x', 'y'].map((name) => fleet.worker(server.baseUrl, name, '--slots', '2')));
    const free = await TestSearch.make();
    await endsWith(0, start(free, '--concurrency', 'fleet'));
    const documents = (): LoggedRequest[] => server.log.filter(({ purpose }) => purpose === 'document');
    const together = (all: readonly LoggedRequest[]): number =>
      all.filter(({ time }) => time < (all[0]?.ended ?? 0)).length;
    const before = documents();
    assert.ok(together(before) > 1, 'without a limit, they begin together');
    const worst = free
      .journal()
      .flatMap((event) => (event.type === 'call-started' && event.purpose === 'document' ? event.worst.tokens : []));
    // Eight worst cases have room, for one call; fifteen for two have not.
    const most = (await free.status()).results.tokens;
    const limit = Math.max(most.prompt + most.completion, 8 * Math.max(...worst)) + 2 * Math.max(...worst);
    const careful = await TestSearch.make();
    await start(careful, '--concurrency', 'fleet', '--max-tokens', String(limit)).end;
    const after = documents().slice(before.length);
    assert.equal(together(after), 1, `with ${limit} tokens, a call of ${worst[0]}`);
    const rest = after.slice(1);
    assert.ok(together(rest) > 1, 'once it was checked, they are made together');
    assert.equal(new Set(after.map(({ authorization }) => authorization)).size, 2, 'by both workers');
  });

  it('is booked by what one worker showed of the server, whoever takes the next call', async () => {
    const isTeller = (call: object): boolean => (call as LoggedRequest).authorization === 'Bearer tells';
    server = await startScriptedServer({ answer, latencyMs: 50, cost: (call) => (isTeller(call) ? 1 : 0) });
    workers = await Promise.all(
      ['tells', 'silent'].map((name) => fleet.worker(server.baseUrl, name, '--slots', '1', ...priced(CHEAP))),
    );
    const search = await TestSearch.make();
    await endsWith(0, start(search, '--concurrency', 'fleet', ...priced(CHEAP), '--max-usd', '100'));
    const first = server.log.find(isTeller)?.ended ?? 0;
    const later = server.log.filter(({ time }) => time > first);
    assert.ok(later.some(isTeller) && !later.every(isTeller), 'both went on');
    const rates = search
      .journal()
      .flatMap((event) => (event.type === 'call-started' ? (event.worst.usd ?? 0) / event.worst.tokens : []));
    const learnt = rates.findIndex((rate) => rate > (1.5 * CHEAP) / 1e6);
    assert.ok(learnt > 0 && learnt < rates.length / 2, `learnt with call ${learnt}`);
    assert.ok(Math.min(...rates.slice(learnt)) > (1.5 * CHEAP) / 1e6, rates.join());
  });
});
