import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ActionCall } from '../../../src/core/actions/action-call.ts';
import { readQueueAddress } from '../../../src/fleet/address.ts';
import { queueOf } from '../../../src/fleet/names.ts';
import { PROTOCOL, type WorkerRegistration } from '../../../src/fleet/protocol.ts';
import type { FleetQueue } from '../../../src/fleet/queue.ts';
import { sendRequest } from '../../../src/store/requests/requests.ts';
import { systemRandom } from '../../../src/store/system-ports.ts';
import type { CliProcess } from '../../support/cli-process.ts';
import { openQueue } from '../../support/fleet/built-queue.ts';
import { TestFleet } from '../../support/fleet/test-fleet.ts';
import { endsWith, nodesAsked, removeSearches, repeatedCalls, TestSearch } from '../../support/searches/e2e-search.ts';
import type { LoggedRequest } from '../../support/servers/scripted-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { until } from '../../support/until.ts';

const MODEL = 'openai-compatible/scripted';
const HOUR = 3_600_000;
const CHILDREN = 5;
const SLOTS = 2;
const { answer } = scriptedTree({ fanout: (_path, depth) => (depth === 0 ? CHILDREN : 0), documentWords: 40 });

describe('what stops a search of a fleet', () => {
  let fleet: TestFleet;
  let search: TestSearch;
  let worker: CliProcess;
  let leader: CliProcess;
  let queue: FleetQueue;
  let shown: NodeJS.Timeout;
  /** Nodes whose documents the server never answers. */
  let isHeld: (node: string) => boolean;
  before(async () => {
    fleet = await TestFleet.make();
    queue = await openQueue(readQueueAddress(fleet.url), false);
  });
  after(async () => {
    await queue.close();
    await fleet.remove();
  });
  afterEach(async () => {
    clearInterval(shown);
    await queue.unregister('busy');
    await removeSearches();
  });

  /** A search that has two calls at the server, whose answers do not come, and three in the queue. */
  async function begin(name: string): Promise<LoggedRequest[]> {
    isHeld = (node) => node !== '';
    search = await TestSearch.make({ answer, latencyMs: ({ node }) => (isHeld(node) ? HOUR : 0) });
    const ours = queueOf(MODEL, new URL(search.server.baseUrl).origin);
    await showBusy(ours);
    worker = await fleet.worker(search.server.baseUrl, name, '--slots', String(SLOTS));
    leader = search.start('--size', 'all', '--queue', fleet.url, '--concurrency', String(CHILDREN));
    await search.server.until(() => open().length === SLOTS);
    await until(async () => (await queue.waiting([ours])).get(ours) === CHILDREN - SLOTS);
    return open();
  }

  /** A worker that has room for what the other one has not, but does not come to take it. */
  async function showBusy(ours: string): Promise<void> {
    const model = { queue: ours, name: MODEL, free: false, tools: true, warmsCache: false };
    const card: WorkerRegistration = {
      ...{
        kind: 'worker',
        protocol: PROTOCOL,
        version: '1',
        id: 'busy',
        host: 'busy',
        pid: 1,
        slots: CHILDREN - SLOTS,
      },
      ...{ state: 'working', models: [model], calls: [], spent: { calls: 0, tokens: 0, usd: 0 } },
    };
    await queue.register(card);
    shown = setInterval(() => void queue.register(card), 1000);
  }

  const open = (): LoggedRequest[] => search.server.log.filter(({ outcome }) => outcome === 'open');
  const leaseOf = (epoch: number): string => join(search.folder, '.search', `lease-${epoch}.json`);

  async function act(call: ActionCall): Promise<void> {
    const { token } = JSON.parse(readFileSync(leaseOf(1), 'utf8'));
    const sending = { by: 'test', random: systemRandom, lease: token, isHeld: async () => true };
    const reply = await sendRequest(search.folder, call, sending);
    assert.equal(reply?.ok, true, reply?.message);
  }

  async function areClosed(calls: readonly LoggedRequest[]): Promise<void> {
    await search.server.until(() => calls.every(({ ended }) => ended !== undefined));
    for (const { closedByClient } of calls) assert.equal(closedByClient, true);
  }

  /** What is left is done, and nothing but what was under way is asked again. */
  async function endsWell(underWay: readonly LoggedRequest[], resumed: CliProcess): Promise<void> {
    await endsWith(0, resumed);
    const again = underWay.map(({ purpose, node }) => `${purpose} ${node}`);
    assert.deepEqual(repeatedCalls(search.server.log).sort(), again.sort());
    worker.kill('SIGTERM');
    await endsWith(0, worker);
  }

  /** Of calls that were stopped, how many count. */
  function charged(): { yes: number; no: number } {
    const stopped = search.journal().filter((event) => event.type === 'call-ended' && event.outcome === 'aborted');
    const yes = stopped.filter((event) => event.type === 'call-ended' && event.charged).length;
    return { yes, no: stopped.length - yes };
  }

  it('by "pause now" reaches calls under way, and what nobody took costs nothing', async () => {
    const underWay = await begin('pause');
    const asked = search.server.log.length;
    await act({ action: 'pause', now: true });
    await areClosed(underWay);
    await endsWith(130, leader);
    assert.deepEqual(charged(), { yes: SLOTS, no: CHILDREN - SLOTS });
    assert.equal(search.server.log.length, asked, 'the worker, which has room now, took nothing more');
    const { calls } = (await search.status()).results;
    assert.equal(calls, asked);
    isHeld = () => false;
    await endsWell(underWay, search.resume('--queue', fleet.url));
    assert.equal((await search.status()).results.calls, search.server.log.length);
  });

  it('in a branch that is pruned reaches its call, and no other', async () => {
    const [first, second] = await begin('prune');
    assert.ok(first && second);
    const waiting = search
      .journal()
      .flatMap((event) => (event.type === 'call-started' ? event.node : []))
      .find((node) => node !== '' && node !== first.node && node !== second.node);
    await act({ action: 'prune', node: waiting ?? '' });
    assert.deepEqual(charged(), { yes: 0, no: 1 });
    isHeld = (node) => node === second.node;
    await act({ action: 'prune', node: first.node });
    await areClosed([first]);
    assert.equal(second.outcome, 'open');
    await search.server.until((log) => nodesAsked(log, 'document').length === CHILDREN - 1);
    assert.ok(!nodesAsked(search.server.log, 'document').includes(waiting ?? ''), 'it was withdrawn');
    isHeld = () => false;
    await act({ action: 'prune', node: second.node });
    await endsWell([], leader);
    assert.equal((await search.status()).results.calls, search.server.log.length);
  });

  it('as another process took it over reaches calls under way', async () => {
    const underWay = await begin('lease');
    // As somebody does on another computer, from where this process seemed to be gone for long.
    const lease = JSON.parse(readFileSync(leaseOf(1), 'utf8'));
    const other = { ...lease, epoch: 2, token: 'another', host: 'elsewhere', released: true };
    writeFileSync(leaseOf(2), JSON.stringify(other));
    rmSync(leaseOf(1));
    await areClosed(underWay);
    const { stderr } = await endsWith(5, leader);
    assert.match(stderr, /Another process has taken this search over/);
    assert.equal(search.server.log.length, underWay.length + 1);
    isHeld = () => false;
    await endsWell(underWay, search.resume('--queue', fleet.url));
  });
});
