import assert from 'node:assert/strict';
import { globSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { effort } from '../support/effort.ts';
import { endsWith, TestSearch } from '../support/searches/e2e-search.ts';
import type { LoggedRequest } from '../support/servers/scripted-server.ts';
import { randomLatency } from '../support/servers/server-faults.ts';
import { chance } from '../support/servers/server-random.ts';
import { scriptedTree } from '../support/servers/server-tree.ts';
import { LoopDisk } from './loop-disk.ts';

const CUTS = effort(100);
const CONCURRENCY = 4;
const FLAGS = ['--size', 'all', '--max-depth', '3', '--concurrency', String(CONCURRENCY)];
const MOST_COPIES = 5;

const { answer } = scriptedTree({ fanout: (_path, depth) => [4, 2, 1][depth] ?? 0, documentWords: 40 });
const options = (seed: number) => ({ answer, latencyMs: randomLatency(1, 30, seed) });

/** Which it did is part of what CI logs. */
function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

describe('a search on an ext4 whose power is cut at random moments', () => {
  let disk: LoopDisk | undefined;
  before(() => {
    try {
      disk = new LoopDisk();
    } catch (error) {
      say(`Not run: no ext4 can be mounted here (${String(error).split('\n')[0]}). It needs root and loop devices.`);
    }
  });
  after(() => disk?.remove());

  it(`ends with the tree of an undisturbed run, ${CUTS} times`, async function () {
    if (!disk) return this.skip();
    disk.renew();
    const whole = await TestSearch.make(options(0), disk.folder);
    await endsWith(0, whole.start(...FLAGS));
    const expected = await whole.tree();
    const asked = whole.server.log.length;
    await whole.remove();
    const seen = { begun: 0, middle: 0, taken: 0 };
    for (let seed = 1; seed <= CUTS; seed++) {
      disk.renew();
      const search = await TestSearch.make(options(seed), disk.folder);
      try {
        const requests = await cutPower(disk, search, seed, asked, () => seen.taken++);
        if (requests.length > 0) seen.begun++;
        if (requests.length > asked / 4 && requests.length < asked) seen.middle++;
        await endsWith(0, search.start(...FLAGS));
        assert.deepEqual(await search.tree(), expected, `cut ${seed}, after ${requests.length} requests`);
        checkRepeats(search, requests, seed);
        await checkSpend(search, seed);
      } finally {
        await search.remove();
      }
    }
    say(
      `Power cuts on a real ext4: ${CUTS}, of which ${seen.begun} after the first request and ${seen.middle} in the middle; ` +
        `${seen.taken - CUTS} copies were taken again.`,
    );
  }).timeout(CUTS * 60_000);
});

/**
 * Starts a search and cuts the power of its disk: what is on the disk itself while the process is stopped is all that is
 * left. Returns the requests that were made before.
 */
async function cutPower(
  disk: LoopDisk,
  search: TestSearch,
  seed: number,
  asked: number,
  onCopy: () => void,
): Promise<LoggedRequest[]> {
  const running = search.start(...FLAGS);
  const after = Math.floor(chance(seed, 0, 'when') * (asked + 1));
  while (search.server.log.length < after && !running.isOver) await sleep(1);
  await Promise.race([sleep(chance(seed, 0, 'later') * (after === 0 ? 1000 : 30)), running.end]);
  let copy: string | undefined;
  for (let tries = 0; copy === undefined && tries < MOST_COPIES; tries++) {
    running.kill('SIGSTOP');
    await sleep(5);
    copy = disk.copy();
    onCopy();
    if (copy === undefined) {
      running.kill('SIGCONT');
      await sleep(20);
    }
  }
  assert.ok(copy !== undefined, `no copy in ${MOST_COPIES} could be mended`);
  running.kill('SIGKILL');
  await running.end;
  const requests = search.requestsOf(running);
  disk.replaceBy(copy);
  mkdirSync(join(search.workspace, 'thought-trees'), { recursive: true });
  restart(search);
  return requests;
}

/**
 * A loss of power ends with another boot, which this computer does not really have: whatever was written was written before
 * it. Of a node's file it matters, as what is newer is a person's.
 */
function restart({ folder }: TestSearch): void {
  let names: string[];
  try {
    names = readdirSync(join(folder, '.search')).filter((name) => name.startsWith('lease-'));
  } catch {
    return; // nothing of the search was on the disk
  }
  for (const name of names) {
    const file = join(folder, '.search', name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"bootId": "[^"]*"/, '"bootId": "before-the-cut"'));
  }
  const before = Date.now() / 1000 - uptime() - 60;
  for (const file of globSync('**/node.json', { cwd: folder })) utimesSync(join(folder, file), before, before);
}

/** What was in flight is asked again: at most one call in each slot. */
function checkRepeats(search: TestSearch, before: readonly LoggedRequest[], seed: number): void {
  const keyOf = ({ purpose, node }: LoggedRequest): string => `${purpose} ${node}`;
  const known = new Set(before.filter(({ purpose }) => purpose !== 'pick').map(keyOf));
  const repeated = search.server.log.filter((request) => !before.includes(request) && known.has(keyOf(request)));
  assert.ok(repeated.length <= CONCURRENCY, `cut ${seed}: asked again ${repeated.map(keyOf).join(', ')}`);
}

/** Nothing that the server would ask money for is missing. */
async function checkSpend(search: TestSearch, seed: number): Promise<void> {
  const { results, state } = await search.status();
  const { prompt, completion, worstCase } = results.tokens;
  const { billed, log } = search.server;
  assert.equal(state, 'finished');
  assert.ok(prompt + completion + worstCase >= billed.prompt + billed.completion, `cut ${seed}: too little is booked`);
  assert.ok(results.calls >= log.length, `cut ${seed}: ${results.calls} calls told of ${log.length}`);
}
