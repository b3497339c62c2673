import assert from 'node:assert/strict';
import { TestFleet } from '../../support/fleet/test-fleet.ts';
import { endsWith, removeSearches, repeatedCalls, TestSearch } from '../../support/searches/e2e-search.ts';
import { randomLatency } from '../../support/servers/server-faults.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const { answer } = scriptedTree({ fanout: (_path, depth) => [4, 2, 2][depth] ?? 0, documentWords: 40 });
const options = (seed: number) => ({ answer, latencyMs: randomLatency(20, 60, seed) });

describe('a search with a fleet', () => {
  let fleet: TestFleet;
  before(async () => {
    fleet = await TestFleet.make();
  });
  after(() => fleet.remove());
  afterEach(removeSearches);

  it('gives the same tree as one without, all calls made by its workers', async () => {
    const search = await TestSearch.make(options(1));
    const workers = [
      await fleet.worker(search.server.baseUrl, 'first', '--slots', '2'),
      await fleet.worker(search.server.baseUrl, 'second', '--slots', '2'),
    ];
    await endsWith(0, search.start('--size', 'all', '--queue', fleet.url, '--concurrency', 'fleet'));
    const keys = new Set(search.server.log.map(({ authorization }) => authorization));
    assert.deepEqual([...keys].sort(), ['Bearer first', 'Bearer second']);
    assert.deepEqual(repeatedCalls(search.server.log), []);
    const alone = await TestSearch.make(options(2));
    await endsWith(0, alone.start('--size', 'all'));
    assert.deepEqual(await search.tree(), await alone.tree());
    const spent = (each: TestSearch) =>
      each.journal().filter((event) => event.type === 'call-ended' && event.purpose !== 'pick').length;
    assert.equal(spent(search), spent(alone));
    for (const worker of workers) worker.kill('SIGTERM');
    const slugs = Object.keys(await search.tree()).flatMap((path) => path.split('/').slice(0, -1));
    for (const worker of workers) {
      await endsWith(0, worker);
      const { stdout } = await worker.end;
      assert.match(stdout, / ok openai-compatible\/scripted document [0-9a-f]{8}$/m);
      for (const slug of slugs) assert.ok(!stdout.includes(slug), 'nothing of what it is about is in a log');
    }
  });

  it('goes on where it was killed with the answers that came meanwhile, without asking twice', async () => {
    const gates: (() => void)[] = [];
    let isHeld = true;
    const search = await TestSearch.make({
      answer: (call) =>
        (async function* () {
          if (isHeld && call.node !== '') await new Promise<void>((resolve) => gates.push(resolve));
          yield answer(call);
        })(),
    });
    const worker = await fleet.worker(search.server.baseUrl, 'third', '--slots', '4');
    const first = search.start('--size', 'all', '--queue', fleet.url);
    await search.server.until((log) => log.length === 5);
    first.kill('SIGKILL');
    await first.end;
    isHeld = false;
    for (const open of gates) open();
    await worker.printed(5);
    await endsWith(0, search.resume('--queue', fleet.url));
    assert.deepEqual(repeatedCalls(search.server.log), []);
    const late = search.journal().filter((event) => event.type === 'call-ended' && event.late);
    assert.equal(late.length, 4);
    const alone = await TestSearch.make(options(3));
    await endsWith(0, alone.start('--size', 'all'));
    assert.deepEqual(await search.tree(), await alone.tree());
    worker.kill('SIGTERM');
    await endsWith(0, worker);
  });

  it('shows what it does', async () => {
    const search = await TestSearch.make({
      answer: (call) =>
        (async function* () {
          await new Promise((resolve) => setTimeout(resolve, call.node === '' ? 0 : 3_600_000).unref());
          yield answer(call);
        })(),
    });
    const worker = await fleet.worker(search.server.baseUrl, 'fourth', '--slots', '3');
    const running = search.start('--queue', fleet.url);
    await search.server.until((log) => log.length === 4);
    let view = await fleet.view();
    while (view.workers[0]?.calls.length !== 3) view = await fleet.view();
    assert.deepEqual(
      view.workers.map(({ slots, state, calls }) => [slots, state, calls.length]),
      [[3, 'working', 3]],
    );
    // The one that was killed just now may still be shown.
    assert.ok(view.searches.length >= 1);
    const title = view.searches[0]?.title;
    assert.match(title ?? '', / /, 'not the name of its folder');
    const seen = new Set(view.searches.map(({ id }) => id));
    running.kill('SIGTERM');
    await endsWith(130, running);
    const resumed = search.resume('--queue', fleet.url);
    // One that was killed before may still be shown with its calls: this one listens to signals once it has calls itself.
    const isShown = (): boolean =>
      view.searches.some(({ id, underWay }) => underWay > 0 && !seen.has(id)) &&
      view.searches.every((each) => each.title === title);
    while (!isShown()) view = await fleet.view();
    resumed.kill('SIGTERM');
    await endsWith(130, resumed);
    worker.kill('SIGTERM');
    worker.kill('SIGTERM');
    await endsWith(0, worker);
  });
});
