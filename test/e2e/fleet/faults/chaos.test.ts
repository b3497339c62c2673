import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { realpathSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnPostgres } from '../../../../scripts/postgres/own-postgres.ts';
import { searchKey } from '../../../../src/fleet/names.ts';
import { readSearchId } from '../../../../src/store/open-store.ts';
import type { CliProcess } from '../../../support/cli-process.ts';
import { type CutProxy, cutProxy } from '../../../support/fleet/cut-proxy.ts';
import { type FaultCost, FaultRecord } from '../../../support/fleet/fault-record.ts';
import { countQuestions } from '../../../support/fleet/question-counts.ts';
import { TestFleet } from '../../../support/fleet/test-fleet.ts';
import { suspend } from '../../../support/purse/suspend.ts';
import { endsWith, removeSearches, TestSearch } from '../../../support/searches/e2e-search.ts';
import type { LoggedRequest } from '../../../support/servers/scripted-server.ts';
import type { ServerCall } from '../../../support/servers/server-call.ts';
import { randomLatency } from '../../../support/servers/server-faults.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';

const LEVELS = [8, 8, 7];
const NODES = 8 + 8 * 8 + 8 * 8 * 7;
const { answer } = scriptedTree({ fanout: (_path, depth) => LEVELS[depth] ?? 0, documentWords: 30 });
const LATENCY = randomLatency(300, 1500, 7);
const WORKERS = 4;
const SLOTS = 4;
/** In milliseconds: no test waits for a call that is held so long. */
const HOUR = 3_600_000;
const FROZEN_MS = 20_000;
const CUT_MS = 10_000;
/** Calls that the frozen worker has and nobody else gets an answer to. */
const OPEN = 2;
/** So many calls before a cap its fault comes: it is reached with what was in flight then. */
const NEAR = 12;
/** What a cap allows is not used whole: the report at the end is kept a call, and as many tokens as it may need. */
const KEPT = { calls: 1, tokens: 92_000 };
/** Most of what a call is booked with in tokens, which is far more than it uses. */
const BOOKED = 12_000;
const WORKER = 'worker';
const A_LOST_SECOND = 'a lost second';
const ENDLESS = { calls: 5000, tokens: 20_000_000 };

/** What the search may use, and what the server had seen and counted when that was raised. */
interface Leg {
  readonly calls: number;
  readonly tokens: number;
  seen: { calls: number; tokens: number };
}

/**
 * All faults happen in one run, each shortly before a cap, which ends the leader's process; the next one raises it. So what
 * the caps let through is seen with calls in flight at every fault.
 */
describe('a fleet under every fault', function () {
  this.timeout(600_000);
  let fleet: TestFleet;
  let postgres: OwnPostgres;
  let proxy: CutProxy;
  let search: TestSearch;
  let workers: CliProcess[];
  let leader: CliProcess;
  const faults = new FaultRecord();
  const legs: Leg[] = [];
  /** What is not answered a second time. */
  const onlyOnce = new Set<string>();

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

  it('loses no node, repeats at most what was in flight, counts every answer, and passes no cap', async () => {
    search = await TestSearch.make({
      answer,
      latencyMs: (call) => (call.attempt > 1 && onlyOnce.has(askedBy(call)) ? HOUR : LATENCY(call)),
      onRequest: look,
    });
    workers = await Promise.all(Array.from({ length: WORKERS }, (_, index) => startWorker(`w${index}`)));
    await toCap({ calls: 150 }, killAWorker);
    await toCap({ calls: 300 }, killTheLeader);
    // More than the three other workers can be asked meanwhile.
    await toCap({ calls: 700 }, freezeAWorker);
    await toCap({ calls: 800 }, killTheDatabase);
    await toCap({ tokens: (await counted()).tokens + KEPT.tokens + 8 * BOOKED }, cutTheNetwork);
    const last = await toCap({ calls: 1000 }, loseASecond);
    lead({});
    await endsWith(0, leader);
    for (const worker of workers) worker.kill('SIGTERM');
    for (const worker of workers) await endsWith(0, worker);

    const nodes = Object.keys(await search.tree()).filter((path) => path.endsWith('document.md'));
    assert.equal(nodes.length, NODES);
    const costs = faults.costs(search.journal(), search.server.log);
    assert.equal(costs.length, 7, 'six faults, and none');
    for (const cost of costs) {
      assert.ok(cost.repeated.length <= mostOf(cost), `${mostOf(cost)} were in flight: ${JSON.stringify(cost)}`);
      assert.deepEqual(cost.tooOften, [], cost.name);
    }
    await compareQuestions();
    const inLostSecond = costs.find(({ name }) => name === A_LOST_SECOND)?.inFlight ?? 0;
    for (const leg of legs) {
      const beyond = leg === last ? inLostSecond : 0;
      assert.ok(leg.seen.calls <= leg.calls + beyond, `${beyond} calls may be too many: ${JSON.stringify(leg)}`);
      assert.ok(leg.seen.tokens <= leg.tokens + beyond * BOOKED, JSON.stringify(leg));
    }
    const all = await counted();
    assert.ok(all.calls >= billed().calls, `${all.calls} calls counted of ${billed().calls}`);
    assert.ok(all.tokens >= billed().tokens, `${all.tokens} tokens counted of ${billed().tokens}`);
  });

  /** Question by question: what the server was asked is counted, what the search has was answered, and both are the same without a fault. */
  async function compareQuestions(): Promise<void> {
    const journal = search.journal();
    const name = searchKey((await readSearchId(search.folder)) ?? '', realpathSync(search.folder));
    const touched = faults.touched(journal);
    const questions = countQuestions(name, journal, search.server.log);
    assert.ok(questions.length > NODES, `${questions.length} questions`);
    for (const each of questions) {
      const { asked, served, answered, counted, used } = each;
      assert.ok(served <= counted && used <= answered, JSON.stringify(each));
      const isUntouched = !asked.startsWith('pick ') && !touched.has(asked);
      if (isUntouched) assert.deepEqual([served, answered, used], [counted, counted, counted], JSON.stringify(each));
    }
  }

  function startWorker(name: string): Promise<CliProcess> {
    return fleet.worker(search.server.baseUrl, name, '--slots', String(SLOTS));
  }

  /** Begins or resumes the search with a cap. */
  function lead({ calls, tokens }: Partial<typeof ENDLESS>): Leg {
    const leg = { ...ENDLESS, ...(calls && { calls }), ...(tokens && { tokens }), seen: billed() };
    const caps = ['--max-calls', String(leg.calls), '--max-tokens', String(leg.tokens)];
    const flags = ['--queue', fleet.url, '--size', 'all', '--concurrency', 'fleet', ...caps];
    leader = legs.length === 0 ? search.start(...flags) : search.resume(...flags);
    legs.push(leg);
    return leg;
  }

  /** The search with a cap until it may make no more calls, and a fault on the way. */
  async function toCap(cap: Partial<typeof ENDLESS>, fault: (leg: Leg) => Promise<void>): Promise<Leg> {
    const leg = lead(cap);
    await fault(leg);
    await endsWith(3, leader);
    look();
    const { calls, tokens } = await counted();
    assert.ok(
      calls >= leg.calls - KEPT.calls || tokens >= leg.tokens - KEPT.tokens,
      `it stopped after ${calls} calls and ${tokens} tokens: ${JSON.stringify(leg)}`,
    );
    return leg;
  }

  /** Resolves shortly before a cap on the calls is reached. */
  function near({ calls }: Leg, before = NEAR): Promise<void> {
    return search.server.until((log) => log.length >= calls - before);
  }

  /** By the server's own count. */
  function billed(): Leg['seen'] {
    const { prompt, completion } = search.server.billed;
    return { calls: search.server.log.length, tokens: prompt + completion };
  }

  /** Remembers what the server has counted under the cap of now. */
  function look(): void {
    const leg = legs.at(-1);
    if (leg) leg.seen = billed();
  }

  /** By the search's. */
  async function counted(): Promise<Leg['seen']> {
    const { calls, tokens } = (await search.status()).results;
    return { calls, tokens: tokens.prompt + tokens.completion + tokens.worstCase };
  }

  async function killAWorker(leg: Leg): Promise<void> {
    await near(leg);
    await faults.during(`a killed ${WORKER}`, () => kill(workers[0]));
    workers[0] = await startWorker('w0-again');
  }

  async function killTheLeader(leg: Leg): Promise<void> {
    await near(leg);
    await faults.during('a killed leader', () => kill(leader));
    lead(leg);
  }

  async function kill(process: CliProcess | undefined): Promise<void> {
    process?.kill('SIGKILL');
    await process?.end;
  }

  /** A worker wakes up when its calls were given to others: one that is still open has its answer, and no other call minds. */
  async function freezeAWorker(): Promise<void> {
    const { server } = search;
    const frozen = 'w1';
    const own = (log: readonly LoggedRequest[]): LoggedRequest[] =>
      log.filter(({ authorization, outcome }) => authorization === `Bearer ${frozen}` && outcome === 'open');
    const documents = (log: readonly LoggedRequest[]): LoggedRequest[] =>
      own(log).filter(({ purpose, attempt }) => purpose === 'document' && attempt === 1);
    await server.until((log) => documents(log).length >= OPEN);
    const open = documents(server.log).slice(0, OPEN);
    await faults.during(`a frozen ${WORKER}`, async () => {
      await suspend((workers[1] as CliProcess).pid);
      for (const each of open) onlyOnce.add(askedBy(each));
    });
    const again = (log: readonly LoggedRequest[]): LoggedRequest[] =>
      log.filter((call) => call.attempt > 1 && onlyOnce.has(askedBy(call)));
    await Promise.all([sleep(FROZEN_MS), server.until((log) => again(log).length === OPEN)]);
    assert.deepEqual(
      again(server.log).map(({ outcome }) => outcome),
      open.map(() => 'open'),
      'others are asked the same',
    );
    const since = Date.now();
    workers[1]?.kill('SIGCONT');
    await server.until((log) => again(log).every(({ closedByClient }) => closedByClient));
    await server.until((log) => own(log).some(({ time }) => time >= since));
    const touched = server.log.filter(({ closedByClient, ended = 0 }) => closedByClient && ended >= since);
    assert.deepEqual(touched.map(askedBy).sort(), open.map(askedBy).sort(), 'no other call is touched');
  }

  async function killTheDatabase(leg: Leg): Promise<void> {
    await near(leg);
    await faults.during('a killed database', () => killDatabase());
  }

  async function killDatabase(meanwhile?: () => void): Promise<void> {
    process.kill(postgres.pid(), 'SIGKILL');
    await postgres.again(meanwhile);
  }

  /** Few calls are under way then: a cap on tokens lets as many begin as could use the rest. */
  async function cutTheNetwork({ seen }: Leg): Promise<void> {
    const before = seen.calls;
    await search.server.until((log) => log.length >= before + 4 * NEAR);
    const whole: Promise<void>[] = [];
    await faults.during('a cut network', () => whole.push(proxy.cut(CUT_MS)));
    await Promise.all(whole);
  }

  /** The database comes back as it was a second before. */
  async function loseASecond(leg: Leg): Promise<void> {
    const copy = `${postgres.data}-before`;
    await near(leg, 3 * NEAR);
    await faults.during(A_LOST_SECOND, async () => {
      await killDatabase(() => execFileSync('cp', ['-a', postgres.data, copy]));
      await sleep(1000);
      await killDatabase(() => {
        rmSync(postgres.data, { recursive: true });
        execFileSync('cp', ['-a', copy, postgres.data]);
      });
    });
  }
});

/** What a worker has is all that is in flight where that alone stops. */
function mostOf({ name, inFlight }: FaultCost): number {
  return name.endsWith(WORKER) ? Math.min(SLOTS, inFlight) : inFlight;
}

function askedBy({ purpose, node }: Pick<ServerCall, 'purpose' | 'node'>): string {
  return `${purpose} ${node}`;
}
