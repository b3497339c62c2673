import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnPostgres } from '../../../scripts/postgres/own-postgres.ts';
import type { CliProcess } from '../../support/cli-process.ts';
import { type CutProxy, cutProxy } from '../../support/fleet/cut-proxy.ts';
import { TestFleet } from '../../support/fleet/test-fleet.ts';
import { endsWith, removeSearches, repeatedCalls, TestSearch } from '../../support/searches/e2e-search.ts';
import { randomLatency } from '../../support/servers/server-faults.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const LEVELS = [8, 8, 7];
const NODES = 8 + 8 * 8 + 8 * 8 * 7;
const { answer } = scriptedTree({ fanout: (_path, depth) => LEVELS[depth] ?? 0, documentWords: 30 });
const FLAGS = ['--size', 'all', '--max-calls', '5000', '--max-tokens', '20000000', '--concurrency', 'fleet'];
const WORKERS = 4;

/** All faults happen in one run; each allows as many repeated calls as were in flight then. */
describe('a fleet under every fault', function () {
  this.timeout(600_000);
  let fleet: TestFleet;
  let postgres: OwnPostgres;
  let proxy: CutProxy;
  let search: TestSearch;
  let workers: CliProcess[];
  let allowed = 0;

  before(async () => {
    fleet = await TestFleet.make({ own: true });
    assert.ok(fleet.postgres);
    postgres = fleet.postgres;
    proxy = await cutProxy(postgres.port);
    fleet.url = postgres.url.replace(String(postgres.port), String(proxy.port));
  });
  after(async () => {
    await removeSearches();
    await fleet.remove();
    await proxy.close();
  });

  /** Calls that the search made and whose end it does not know. */
  function inFlight(): number {
    const open = new Set<string>();
    for (const event of search.journal()) {
      if (event.type === 'call-started') open.add(event.call);
      if (event.type === 'call-ended') open.delete(event.call);
    }
    return open.size;
  }

  async function fault(what: () => Promise<void>): Promise<void> {
    allowed += inFlight();
    await what();
  }

  const reached = (calls: number): Promise<void> => search.server.until((log) => log.length >= calls);

  it('loses no node, repeats at most what was in flight, and counts every answer', async () => {
    search = await TestSearch.make({ answer, latencyMs: randomLatency(200, 1200, 7) });
    const start = (name: string): Promise<CliProcess> => fleet.worker(search.server.baseUrl, name, '--slots', '4');
    workers = await Promise.all(Array.from({ length: WORKERS }, (_, index) => start(`w${index}`)));
    let leader = search.start('--queue', fleet.url, ...FLAGS);

    await reached(100);
    await fault(async () => {
      workers[0]?.kill('SIGKILL');
      workers[0] = await start('w0-again');
    });
    await reached(250);
    await fault(async () => {
      leader.kill('SIGKILL');
      await leader.end;
      leader = search.resume('--queue', fleet.url, ...FLAGS);
    });
    await reached(400);
    await fault(async () => {
      workers[1]?.kill('SIGSTOP');
      await sleep(20_000);
      workers[1]?.kill('SIGCONT');
    });
    await reached(550);
    await fault(async () => {
      process.kill(postgres.pid(), 'SIGKILL');
      await postgres.again();
    });
    await reached(700);
    await fault(() => proxy.cut(10_000));
    await reached(850);
    await fault(() => loseASecond());
    await endsWith(0, leader);

    const nodes = Object.keys(await search.tree()).filter((path) => path.endsWith('document.md'));
    assert.equal(nodes.length, NODES);
    const repeated = repeatedCalls(search.server.log);
    assert.ok(repeated.length <= allowed, `${repeated.length} repeated, ${allowed} were in flight`);
    const { calls, tokens } = (await search.status()).results;
    const { billed, log } = search.server;
    assert.ok(calls >= log.length, `${calls} calls counted of ${log.length}`);
    const counted = tokens.prompt + tokens.completion + tokens.worstCase;
    assert.ok(
      counted >= billed.prompt + billed.completion,
      `${counted} of ${billed.prompt + billed.completion} tokens`,
    );
    for (const worker of workers) worker.kill('SIGTERM');
    for (const worker of workers) await endsWith(0, worker);
  });

  /** The database comes back as it was a second before. */
  async function loseASecond(): Promise<void> {
    const copy = `${postgres.data}-before`;
    process.kill(postgres.pid(), 'SIGKILL');
    await postgres.again(() => execFileSync('cp', ['-a', postgres.data, copy]));
    await sleep(1000);
    allowed += inFlight();
    process.kill(postgres.pid(), 'SIGKILL');
    await postgres.again(() => {
      rmSync(postgres.data, { recursive: true });
      execFileSync('cp', ['-a', copy, postgres.data]);
    });
  }
});
