import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Conversation } from '../../../src/core/search/conversation.ts';
import { type CliProcess, printedEvents } from '../../support/cli-process.ts';
import { effort } from '../../support/effort.ts';
import { endsWith, removeSearches, repeatedCalls, TestSearch } from '../../support/searches/e2e-search.ts';
import type { LoggedRequest } from '../../support/servers/scripted-server.ts';
import { randomLatency } from '../../support/servers/server-faults.ts';
import { chance } from '../../support/servers/server-random.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const KILLS = effort(200);
/** A search that has been killed so often is left to end, so that the kills spread over many beginnings and ends. */
const KILLS_A_SEARCH = 5;
/** Searches under way at the same time. */
const LANES = 2;
const CONCURRENCY = 4;
const FLAGS = ['--size', 'all', '--max-depth', '3', '--concurrency', String(CONCURRENCY)];

// Titles of their own: which of two with the same title is the duplicate depends on the timing.
const { answer } = scriptedTree({
  fanout: (_path, depth) => [4, 2, 1][depth] ?? 0,
  title: (path, index) => `${path.split('/').at(-1) ?? ''} part ${index + 1}`.trim(),
  documentWords: 40,
});
const options = (seed: number) => ({ answer, latencyMs: randomLatency(1, 12, seed) });

/** When kills came, so that the test shows that they came at all times. */
type Moment = 'before anything was asked' | 'during the first call' | 'in the middle' | 'near the end';

interface Killed {
  readonly process: CliProcess;
  readonly moment: Moment;
  /** Texts of answers that the files held then. */
  readonly kept: ReadonlySet<string>;
}

describe('a search that is killed at random moments, and resumed', () => {
  afterEach(removeSearches);

  it(`ends with the tree of an undisturbed run, ${KILLS} times`, async () => {
    const undisturbed = await TestSearch.make(options(0), tmpdir(), 'survey');
    await endsWith(0, undisturbed.start(...FLAGS));
    const expected = await undisturbed.tree();
    const whole = undisturbed.server.log.length;
    const lines = undisturbed.journal().length;
    assert.deepEqual(repeatedCalls(undisturbed.server.log), []);

    const moments: Moment[] = [];
    let searches = 0;
    let failure: unknown;
    const lane = async (): Promise<void> => {
      while (moments.length < KILLS && failure === undefined) {
        const seed = ++searches;
        const search = await TestSearch.make(options(seed), tmpdir(), 'survey');
        const killed = await killAndResume(search, seed, { lines, whole });
        moments.push(...killed.map(({ moment }) => moment));
        assert.deepEqual(await search.tree(), expected, `search ${seed}`);
        checkRepeats(search, killed, seed);
        await checkSpend(search, killed.length, seed);
        await search.remove();
      }
    };
    const fail = (error: unknown): void => {
      failure ??= error;
    };
    // What fails in one lane ends the others only between two searches, so that none is left behind.
    await Promise.all(Array.from({ length: LANES }, () => lane().catch(fail)));
    if (failure) throw failure;
    for (const moment of ['before anything was asked', 'during the first call', 'in the middle', 'near the end'])
      assert.ok(moments.filter((each) => each === moment).length >= effort(3, 0), `too few kills ${moment}`);
  }).timeout(600_000);
});

/** Runs a search to its end over some kills. */
async function killAndResume(
  search: TestSearch,
  seed: number,
  undisturbed: { lines: number; whole: number },
): Promise<Killed[]> {
  const killed: Killed[] = [];
  for (let run = 0; killed.length < KILLS_A_SEARCH; run++) {
    const process = search.start(...FLAGS);
    await aMoment(process, 1 - search.server.log.length / undisturbed.whole, undisturbed.lines, seed, run);
    process.kill('SIGKILL');
    const end = await process.end;
    if (end.code === 0) return killed; // it was quicker
    assert.equal(end.signal, 'SIGKILL', `search ${seed}, run ${run}: ended with ${end.code}: ${end.stderr}`);
    killed.push({ process, moment: momentOf(search, undisturbed.whole), kept: answersIn(search) });
    assert.ok(printedEvents(end).every(({ type }) => type !== 'search-paused'));
  }
  await endsWith(0, search.start(...FLAGS));
  return killed;
}

/** Waits for a moment to kill a process at, of which some lie in its beginnings. */
async function aMoment(process: CliProcess, left: number, lines: number, seed: number, run: number): Promise<void> {
  const when = run === 0 ? (seed % 4) / 4 : chance(seed, run, 'when');
  if (when < 0.1) return void (await sleep(chance(seed, run, 'start') * 150));
  if (when < 0.3) return process.printed(1 + Math.floor(chance(seed, run, 'opening') * 5));
  // Sooner or later in what is left, so that a search sees several kills; and not only when it prints.
  await process.printed(Math.ceil(chance(seed, run, 'line') ** 2 * left * lines * 1.1));
  await sleep(chance(seed, run, 'later') * 15);
}

function momentOf({ server }: TestSearch, whole: number): Moment {
  const asked = server.log.length;
  if (asked === 0) return 'before anything was asked';
  if (asked === 1) return 'during the first call';
  return asked < whole * 0.9 ? 'in the middle' : 'near the end';
}

function answersIn({ folder }: TestSearch): ReadonlySet<string> {
  const conversations = join(folder, '.search', 'conversations');
  if (!existsSync(conversations)) return new Set();
  const turns = readdirSync(conversations).flatMap((name) => {
    const conversation = JSON.parse(readFileSync(join(conversations, name), 'utf8')) as Conversation;
    return conversation.turns.filter(({ role }) => role === 'assistant');
  });
  return new Set(turns.map(({ text }) => text));
}

/** A kill makes a call be asked again only where its answer was under way: one at most in each slot. */
function checkRepeats(search: TestSearch, killed: readonly Killed[], seed: number): void {
  const times = new Map<string, LoggedRequest[]>();
  for (const request of search.server.log) {
    if (request.purpose === 'pick') continue;
    const call = `${request.purpose} ${request.node}`;
    times.set(call, [...(times.get(call) ?? []), request]);
  }
  const repeated = new Set([...times.values()].flatMap((requests) => requests.slice(0, -1)));
  for (const { process } of killed) {
    const lost = search.requestsOf(process).filter((request) => repeated.has(request));
    const shown = lost.map(({ purpose, node, outcome }) => `${purpose} ${node} (${outcome})`).join(', ');
    assert.ok(lost.length <= CONCURRENCY, `search ${seed}: asked again ${shown}`);
  }
  killed.forEach(({ kept }, index) => {
    const before = new Set(killed.slice(0, index + 1).flatMap((each) => search.requestsOf(each.process)));
    for (const request of search.server.log)
      if (!before.has(request))
        assert.ok(!kept.has(answer(request)), `search ${seed}: ${request.purpose} ${request.node} was there already`);
  });
  const byKilled = killed.flatMap(({ process }) => search.requestsOf(process));
  for (const request of repeated)
    assert.ok(byKilled.includes(request), `search ${seed}: ${request.node} without a kill`);
}

/** Nothing that the server would ask money for is missing, and nothing is booked that cannot have been under way. */
async function checkSpend(search: TestSearch, kills: number, seed: number): Promise<void> {
  const { results, state } = await search.status();
  const { prompt, completion, worstCase } = results.tokens;
  const { billed, log } = search.server;
  const spent = prompt + completion + worstCase;
  assert.equal(state, 'finished');
  assert.ok(spent >= billed.prompt + billed.completion, `search ${seed}: ${spent} tokens said to be spent`);
  assert.ok(results.calls >= log.length, `search ${seed}: ${results.calls} calls told of ${log.length}`);
  assert.ok(results.calls <= log.length + kills * (CONCURRENCY + 1), `search ${seed}: ${results.calls} calls told`);
}
