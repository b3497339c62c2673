import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { runSql, TestFleet } from '../../../support/fleet/test-fleet.ts';
import { suspend } from '../../../support/purse/suspend.ts';
import { endsWith, removeSearches, repeatedCalls, TestSearch } from '../../../support/searches/e2e-search.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';

const { answer } = scriptedTree({ fanout: (_path, depth) => [4, 2][depth] ?? 0, documentWords: 40 });
/** After so long without a heartbeat, another process may lead a search, in milliseconds. */
const SILENT_MS = 31_000;

describe('a process that leads a search and is frozen', () => {
  let fleet: TestFleet;
  before(async () => {
    fleet = await TestFleet.make();
  });
  after(() => fleet.remove());
  afterEach(removeSearches);

  it('leaves the calls to its successor when it wakes, so that none is made again', async () => {
    const gates: (() => void)[] = [];
    let isHeld = true;
    const search = await TestSearch.make({
      answer: (call) =>
        (async function* () {
          if (isHeld && call.node !== '') await new Promise<void>((resolve) => gates.push(resolve));
          yield answer(call);
        })(),
    });
    const worker = await fleet.worker(search.server.baseUrl, 'w', '--slots', '4');
    const first = search.start('--size', 'all', '--queue', fleet.url);
    await search.server.until((log) => log.length === 5);
    await suspend(first.pid);
    await sleep(SILENT_MS);
    const second = search.resume('--queue', fleet.url);
    const schema = new URL(fleet.url).searchParams.get('schema') ?? 'thought_tree';
    const leads = async (): Promise<number> => {
      const rows = await runSql(fleet.url, `select max(epoch)::int as epoch from ${schema}.fleet_leads`);
      return Number(rows[0]?.['epoch']);
    };
    while ((await leads()) < 2) await sleep(200);
    first.kill('SIGCONT');
    const { code } = await first.end;
    assert.notEqual(code, 0);
    assert.deepEqual(
      search.server.log.filter(({ closedByClient }) => closedByClient),
      [],
      'nobody was told to stop',
    );
    isHeld = false;
    for (const open of gates) open();
    await endsWith(0, second);
    assert.deepEqual(repeatedCalls(search.server.log), []);
    worker.kill('SIGTERM');
    await endsWith(0, worker);
  });
});
