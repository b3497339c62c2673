import assert from 'node:assert/strict';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CliEnd, type CliProcess, printedEvents } from '../../support/cli-process.ts';
import { changesBetween, diskState } from '../../support/e2e-disk.ts';
import { suspend } from '../../support/purse/suspend.ts';
import { endsWith, removeSearches, repeatedCalls, TestSearch } from '../../support/searches/e2e-search.ts';
import { randomLatency } from '../../support/servers/server-faults.ts';
import { chance } from '../../support/servers/server-random.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const CONCURRENCY = 4;
const FLAGS = ['--size', 'all', '--concurrency', String(CONCURRENCY)];
const STALE_MS = 30_000;
const { answer } = scriptedTree({ fanout: (_path, depth) => [4, 2, 1][depth] ?? 0, documentWords: 40 });
const options = (seed: number) => ({ answer, latencyMs: randomLatency(5, 40, seed) });

describe('two processes on one search', () => {
  afterEach(removeSearches);

  it('lets the first work: the second names the writer, and exits with 5', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const search = await TestSearch.make({
      answer: (call) =>
        (async function* () {
          if (call.node !== '') await gate;
          yield answer(call);
        })(),
    });
    const first = search.start(...FLAGS);
    await search.server.until((log) => log.length === 1 + CONCURRENCY);
    const before = contentOf(search);
    for (const second of [search.start(...FLAGS), search.resume(), search.start(), search.resume('--max-calls', '9')]) {
      const { stdout, stderr } = await endsWith(5, second);
      assert.equal(stdout, '');
      assert.match(stderr, new RegExp(`process ${first.pid} on `));
      assert.equal(search.requestsOf(second).length, 0);
    }
    assert.deepEqual(contentOf(search), before);
    assert.equal((await search.status()).state, 'running');
    open();
    await endsWith(0, first);
    assert.deepEqual(repeatedCalls(search.server.log), []);
    await sameAsUndisturbed(search);
  });

  it('lets exactly one of several simultaneous processes win', async () => {
    const search = await TestSearch.make(options(1));
    const all = Array.from({ length: 4 }, () => search.start(...FLAGS));
    const ends = await Promise.all(all.map(({ end }) => end));
    for (const { code, stderr } of ends) assert.ok([0, 2, 5].includes(code ?? -1), `ended with ${code}: ${stderr}`);
    assert.ok(ends.some(({ code }) => code === 0));
    assert.deepEqual(repeatedCalls(search.server.log), []);
    await sameAsUndisturbed(search);
  });

  it('takes a killed holder over at once', async () => {
    const search = await TestSearch.make(options(2));
    const first = search.start(...FLAGS);
    await search.server.until((log) => log.length >= 12);
    first.kill('SIGKILL');
    const { stdout: firstOutput } = await first.end;
    const second = search.resume();
    const events = printedEvents(await endsWith(0, second));
    const taken = events.find(({ type }) => type === 'lease-taken');
    assert.ok(taken?.type === 'lease-taken' && taken.epoch === 2 && taken.pid === second.pid);
    const lastSign = printedEvents({ stdout: firstOutput } as CliEnd).at(-1);
    const silentMs = Date.parse(taken.time) - Date.parse(lastSign?.time ?? '');
    assert.ok(silentMs < STALE_MS / 2, `it took ${silentMs} ms`);
    assert.ok(repeatedCalls(search.server.log).length <= CONCURRENCY);
    await sameAsUndisturbed(search);
  });
});

describe('a holder that was suspended and wakes up after another took over', () => {
  afterEach(removeSearches);

  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8])
    it(`writes and asks nothing any more (${seed})`, async () => {
      const search = await TestSearch.make(options(seed));
      const first = await stoppedInTheMiddle(search, seed);
      const begun = callsBegun(search);
      const second = search.resume();
      await endsWith(0, second);
      const before = diskState(search.folder);
      first.kill('SIGCONT');
      const { stderr } = await endsWith(5, first);
      assert.match(stderr, /Another process has taken this search over/);
      beginsNoCall(search, first, begun);
      const changed = changesBetween(before, diskState(search.folder)).filter((path) => before[path] !== 'folder');
      assert.ok(changed.length <= 1, `${changed.join(', ')} changed`);
      assert.ok(repeatedCalls(search.server.log).length <= CONCURRENCY);
      await sameAsUndisturbed(search);
    });

  it('leaves a holder alone that is still working', async () => {
    const search = await TestSearch.make(options(9));
    const first = await stoppedInTheMiddle(search, 9);
    const begun = callsBegun(search);
    const second = search.resume();
    await search.server.until(() => search.requestsOf(second).length >= 3);
    first.kill('SIGCONT');
    await endsWith(5, first);
    await endsWith(0, second);
    beginsNoCall(search, first, begun);
    const seqs = search.journal().map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      seqs.map((_, index) => index + 1),
    );
    await sameAsUndisturbed(search);
  });
});

/** A search whose holder was stopped somewhere in the middle and has been silent for a minute, as the files say. */
async function stoppedInTheMiddle(search: TestSearch, seed: number): Promise<CliProcess> {
  const first = search.start(...FLAGS);
  await first.printed(30 + Math.floor(chance('stop', seed) * 100));
  await sleep(chance('stop, later', seed) * 10); // a random moment, not only those where it prints
  await suspend(first.pid);
  assert.equal(first.isOver, false);
  await endsWith(5, search.resume()); // silent for a moment only
  silence(search);
  return first;
}

function callsBegun(search: TestSearch): number {
  return search.journal().filter(({ type }) => type === 'call-started').length;
}

/**
 * No call that was not in the journal when it was stopped: that one may have been on its way to the server, bytes and
 * all, as a rename may have been on its way to the disk.
 */
function beginsNoCall(search: TestSearch, first: CliProcess, begun: number): void {
  assert.ok(search.requestsOf(first).length <= begun, 'it asked for more');
  const journal = search.journal();
  const takeover = journal.findLastIndex(({ type }) => type === 'lease-taken');
  const before = journal.slice(0, takeover).filter(({ type }) => type === 'call-started');
  assert.equal(before.length, begun);
  const second = search.server.log.length - search.requestsOf(first).length;
  assert.equal(callsBegun(search) - begun, second, 'every later call is of the other one');
}

/**
 * Dates the last sign of life back, instead of half a minute's wait: the heartbeat in the lease and the time of its
 * file are all that anybody can know of a process that says nothing, and both only grow older while it is stopped.
 */
function silence({ folder }: TestSearch): void {
  const file = join(folder, '.search', 'lease-1.json');
  const past = new Date(Date.now() - 2 * STALE_MS);
  const lease = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, `${JSON.stringify({ ...lease, heartbeat: past.toISOString() }, undefined, 2)}\n`);
  utimesSync(file, past, past);
}

/** All files but the lease, which shows every few seconds that its holder lives. */
function contentOf({ folder }: TestSearch): Record<string, string> {
  const state = diskState(folder);
  return Object.fromEntries(Object.entries(state).filter(([path]) => !/lease-|\btmp\b/.test(path)));
}

let undisturbed: Promise<Record<string, string>> | undefined;

async function sameAsUndisturbed(search: TestSearch): Promise<void> {
  undisturbed ??= treeOfUndisturbed();
  assert.deepEqual(await search.tree(), await undisturbed);
}

async function treeOfUndisturbed(): Promise<Record<string, string>> {
  const other = await TestSearch.make({ answer });
  await endsWith(0, other.start(...FLAGS));
  return await other.tree();
}
