import assert from 'node:assert/strict';
import { readQueueAddress } from '../../../../src/fleet/address.ts';
import type { CliProcess } from '../../../support/cli-process.ts';
import { openQueue } from '../../../support/fleet/built-queue.ts';
import { TestFleet } from '../../../support/fleet/test-fleet.ts';
import { endsWith, removeSearches, repeatedCalls, TestSearch } from '../../../support/searches/e2e-search.ts';
import type { LoggedRequest } from '../../../support/servers/scripted-server.ts';
import type { ServerCall } from '../../../support/servers/server-call.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';

const HOUR = 3_600_000;
const SLOTS = 2;
const { answer } = scriptedTree({ fanout: (_path, depth) => (depth === 0 ? 6 : 0), documentWords: 40 });

describe('a worker of a fleet that goes', () => {
  let fleet: TestFleet;
  let search: TestSearch;
  let leaver: CliProcess;
  let other: CliProcess;
  let leader: CliProcess;
  /** The server answers those calls of the one that goes, which it keeps waiting. */
  let open: () => void;
  before(async () => {
    fleet = await TestFleet.make();
  });
  after(() => fleet.remove());
  afterEach(removeSearches);

  const of = (name: string): LoggedRequest[] =>
    search.server.log.filter(({ authorization }) => authorization === `Bearer ${name}`);
  const callsOf = (all: readonly LoggedRequest[]): string[] => all.map(({ purpose, node }) => `${purpose} ${node}`);

  /** A search whose first worker has as many calls under way as it has slots; they are answered once it is `open`, or never. */
  async function begin(name: string, isNever = false): Promise<LoggedRequest[]> {
    const gate = Promise.withResolvers<void>();
    open = gate.resolve;
    const waits = (call: ServerCall): boolean =>
      call.node !== '' && (call as LoggedRequest).authorization === `Bearer ${name}`;
    search = await TestSearch.make({
      latencyMs: (call) => (isNever && waits(call) ? HOUR : 0),
      answer: (call) =>
        (async function* () {
          if (waits(call)) await gate.promise;
          yield answer(call);
        })(),
    });
    leaver = await fleet.worker(search.server.baseUrl, name, '--slots', String(SLOTS));
    leader = search.start('--size', 'all', '--queue', fleet.url, '--concurrency', 'fleet');
    const underWay = (): LoggedRequest[] => of(name).filter(({ node, outcome }) => node !== '' && outcome === 'open');
    await search.server.until(() => underWay().length === SLOTS);
    return underWay();
  }

  async function another(name: string): Promise<void> {
    other = await fleet.worker(search.server.baseUrl, name, '--slots', String(SLOTS));
  }

  /** The calls that were lost are made again by the search's decision alone: each one is booked, and counts. */
  async function endsRight(lost: readonly LoggedRequest[]): Promise<void> {
    await endsWith(0, leader);
    assert.deepEqual(repeatedCalls(search.server.log).sort(), callsOf(lost).sort());
    const started = search.journal().filter(({ type }) => type === 'call-started');
    assert.equal(started.length, search.server.log.length);
    assert.equal((await search.status()).results.calls, search.server.log.length);
    const cut = search.journal().filter((event) => event.type === 'call-ended' && event.outcome === 'cut-off');
    assert.deepEqual(
      cut.map((event) => event.type === 'call-ended' && event.charged),
      lost.map(() => true),
    );
    other.kill('SIGTERM');
    await endsWith(0, other);
  }

  it('finishes what it has begun, takes nothing new, and says goodbye', async () => {
    const underWay = await begin('drained');
    leaver.kill('SIGTERM');
    await leaver.said(/2 calls/);
    await another('stays');
    await search.server.until(() => of('stays').filter(({ outcome }) => outcome === 'answered').length >= 3);
    open();
    await endsWith(0, leaver);
    const queue = await openQueue(readQueueAddress(fleet.url), false);
    const workers = (await queue.registrations()).filter((each) => each.kind === 'worker');
    await queue.close();
    assert.deepEqual(
      workers.map(({ pid }) => pid),
      [other.pid],
    );
    await endsRight([]);
    assert.deepEqual(
      of('drained').filter(({ node }) => node !== ''),
      underWay,
    );
    assert.ok(underWay.every(({ outcome }) => outcome === 'answered'));
  });

  it('at once gives back as failed what it has begun, which is made again', async () => {
    const underWay = await begin('hurried', true);
    await another('successor');
    leaver.kill('SIGTERM');
    await leaver.said(/2 calls/);
    leaver.kill('SIGTERM');
    await endsWith(0, leaver);
    await search.server.until(() => underWay.every(({ closedByClient }) => closedByClient));
    await endsRight(underWay);
  });

  it('as it is killed is missed', async () => {
    const underWay = await begin('killed', true);
    await another('survivor');
    leaver.kill('SIGKILL');
    await leaver.end;
    await endsRight(underWay);
    const again = callsOf(of('survivor'));
    for (const call of callsOf(underWay)) assert.ok(again.includes(call), call);
  });
});
