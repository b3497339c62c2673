import assert from 'node:assert/strict';
import { TestFleet } from '../../support/fleet/test-fleet.ts';
import { endsWith, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import { type LoggedRequest, startScriptedServer } from '../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const { answer } = scriptedTree({ fanout: (_path, depth) => [6, 4][depth] ?? 0, documentWords: 40 });
const RETRY_AFTER = 5;
/** Whoever heard nothing looks once a second. */
const KNOWN_MS = 1000;
const [SCRIPTED, OTHER] = ['openai-compatible/scripted', 'openai-compatible/other'];

describe('a server that asks one worker of a fleet to wait', () => {
  let fleet: TestFleet;
  before(async () => {
    fleet = await TestFleet.make();
  });
  after(() => fleet.remove());
  afterEach(removeSearches);

  it('is left alone by all with that key for so long, for that model; other keys and models go on', async () => {
    let limited: LoggedRequest | undefined;
    const isKeyA = ({ authorization }: LoggedRequest): boolean => authorization === 'Bearer a';
    const of = (model: string): LoggedRequest[] => server.log.filter((each) => each.model === model);
    const server = await startScriptedServer({
      answer,
      latencyMs: 250,
      fault: (call) => {
        const request = call as LoggedRequest;
        const areAllBusy = of('other').length > 2 && new Set(of('scripted').map((each) => each.authorization)).size > 1;
        if (limited || !areAllBusy || request.model !== 'scripted' || !isKeyA(request)) return undefined;
        limited = request;
        return { kind: '429', headers: { 'retry-after': String(RETRY_AFTER) } };
      },
    });
    // Two that have the same key, and both models; and one that has another.
    const both = ['--model', SCRIPTED, '--model', OTHER, '--slots', '2'];
    const workers = [
      await fleet.worker(server.baseUrl, 'a', ...both),
      await fleet.worker(server.baseUrl, 'a', ...both),
      await fleet.worker(server.baseUrl, 'b', '--slots', '2'),
    ];
    const searches = [await TestSearch.make(), await TestSearch.make()];
    const flags = ['--base-url', server.baseUrl, '--size', 'all', '--queue', fleet.url, '--concurrency', '6'];
    const running = searches.map((search, n) => search.start('--model', n === 0 ? SCRIPTED : OTHER, ...flags));
    for (const each of running) await endsWith(0, each);

    const begun = limited?.ended ?? 0;
    const until = begun + RETRY_AFTER * 1000;
    const meanwhile = ({ time }: LoggedRequest): boolean => time > begun + KNOWN_MS && time < until;
    const inVain = of('scripted').filter(isKeyA).filter(meanwhile);
    assert.deepEqual(
      inVain.map(({ time }) => time - begun),
      [],
      'milliseconds after it was asked to wait',
    );
    assert.ok(of('scripted').filter(meanwhile).length > 0, 'whoever has another key goes on');
    assert.ok(of('other').filter(isKeyA).filter(meanwhile).length > 0, 'so does another model');
    const later = of('scripted')
      .filter(isKeyA)
      .filter(({ time }) => time >= until);
    assert.ok(later.length > 0, 'it is asked again after that');
    assert.equal(server.log.filter(({ outcome }) => outcome === '429').length, 1);
    const { calls } = (await (searches[0] as TestSearch).status()).results;
    assert.equal(calls, of('scripted').length - 1, 'what the server refused counts for nothing');
    for (const worker of workers) worker.kill('SIGTERM');
    for (const worker of workers) await endsWith(0, worker);
    await server.close();
  });
});
