import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { printedEvents } from '../../support/cli-process.ts';
import { changesBetween, diskState } from '../../support/e2e-disk.ts';
import { endsWith, nodesAsked, removeSearches, repeatedCalls, TestSearch } from '../../support/searches/e2e-search.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const tree = scriptedTree({ fanout: (_path, depth) => [4, 3, 2][depth] ?? 0, documentWords: 60 });
const NODES = 4 + 12 + 24;
const CALLS = 1 + 2 * NODES;
const COST = 0.01;
const depthOf = (path: string): number => path.split('/').length;

describe('how far a search goes', () => {
  afterEach(removeSearches);

  it('stops at its depth, and goes deeper without repeating anything', async () => {
    const search = await TestSearch.make({ answer: tree.answer });
    await endsWith(0, search.start('--size', 'all', '--max-depth', '2'));
    const { log } = search.server;
    assert.equal(nodesAsked(log, 'document').length, 16);
    assert.ok(nodesAsked(log, 'children').every((node) => node === '' || depthOf(node) < 2));
    const { nodes } = await search.status();
    for (const { path, status, leafReason } of nodes.filter((node) => depthOf(node.path) === 2)) {
      assert.deepEqual([status, leafReason], ['leaf', 'depth-limit']);
      assert.deepEqual(await search.readJson(`${path}/children.json`), []);
    }
    await endsWith(0, search.resume('--max-depth', '3'));
    assert.equal(nodesAsked(log, 'document').length, NODES);
    assert.deepEqual(repeatedCalls(log), []);
    await sameAsUndisturbed(search, '--max-depth', '3');
  });

  it('ends at its size with the open leaves named, and grows', async () => {
    const search = await TestSearch.make({ answer: tree.answer });
    const first = await endsWith(0, search.start('--size', 'small'));
    const { log } = search.server;
    assert.equal(nodesAsked(log, 'document').length, 20);
    const last = printedEvents(first).at(-1);
    assert.ok(last?.type === 'search-finished' && last.reason === 'size' && last.results.open > 0);
    assert.match(first.stderr, new RegExp(`small \\(20\\) is reached; ${last.results.open} topics are still open`));
    await endsWith(0, search.resume('--size', 'all'));
    assert.deepEqual(repeatedCalls(log), []);
    await sameAsUndisturbed(search);
  });

  it('asks nothing if all is done, and finds every node finished', async () => {
    const search = await TestSearch.make({ answer: tree.answer });
    await endsWith(0, search.start('--size', 'all'));
    const requests = search.server.log.length;
    const before = await search.tree();
    for (const again of [search.resume.bind(search), search.start.bind(search)]) {
      const last = printedEvents(await endsWith(0, again())).at(-1);
      assert.ok(last?.type === 'search-finished' && last.results.skipped === NODES);
    }
    assert.equal(search.server.log.length, requests);
    assert.deepEqual(await search.tree(), before);
  });

  it('continues from the files alone, as in a clone', async () => {
    const search = await TestSearch.make({ answer: tree.answer });
    await endsWith(0, search.start('--size', 'small'));
    rmSync(join(search.folder, '.search'), { recursive: true });
    await endsWith(0, search.resume('--size', 'all'));
    assert.deepEqual(repeatedCalls(search.server.log), []);
    const { results } = await search.status();
    assert.deepEqual([results.expanded + results.leaves, results.open], [NODES, 0]);
  });
});

describe('the budget', () => {
  afterEach(removeSearches);

  it('stops before one call too many', async () => {
    const search = await TestSearch.make({ answer: tree.answer, latencyMs: 5 });
    await pauses(search, search.start('--size', 'all', '--max-calls', '30'), /limit of 30 calls/);
    assert.equal(search.server.log.length, 29, 'the last one is kept for the report');
    await goesOn(search, '--max-calls', '500');
  });

  it('stops before a call that could exceed the tokens at its worst case', async () => {
    const limit = 40_000;
    const search = await TestSearch.make({ answer: tree.answer, latencyMs: 5 });
    await pauses(search, search.start('--size', 'all', '--max-tokens', String(limit)), /limit of 40,000 tokens/);
    const { prompt, completion } = search.server.billed;
    assert.ok(prompt + completion <= limit);
    // The call that was not made is not in the journal; none is twice as large as those before it.
    assert.ok(prompt + completion + 2 * largestWorstCase(search) > limit, 'it could have gone on');
    // Another run may find a shorter call that still fits in, but passes the limit neither.
    await endsWith(3, search.resume());
    assert.ok(search.server.billed.prompt + search.server.billed.completion <= limit);
    await endsAsUndisturbed(search, '--max-tokens', '5000000');
  });

  it('stops when the reported costs reach the limit', async () => {
    const search = await TestSearch.make({ answer: tree.answer, latencyMs: 5, cost: () => COST });
    await pauses(search, search.start('--size', 'all', '--max-usd', '0.205'), /limit of \$0\.205/);
    const { results } = await search.status();
    assert.ok(Math.abs(results.usd - COST * search.server.log.length) < 1e-9);
    assert.ok(results.usdComplete);
    // The first call tells what the server takes, and room is kept for those under way: the limit is not passed.
    assert.ok(results.usd <= 0.205 && results.usd > 0, `${results.usd} of 0.205`);
    // The same price for every answer looks like prices that change, so that much room is kept for each call.
    await goesOn(search, '--max-usd', '1000');
  });

  it('stops when the time is up', async () => {
    const search = await TestSearch.make({ answer: tree.answer, latencyMs: 150 });
    const pause = await pauses(search, search.start('--size', 'all', '--max-minutes', '0.02'), /limit of 0.02 minutes/);
    assert.ok(pause.results.minutes >= 0.02);
    assert.ok(search.server.log.length < CALLS);
    await goesOn(search, '--max-minutes', '20');
  });

  it('asks nothing at all where nothing is allowed', async () => {
    for (const [flag, message] of [
      ['--max-calls', /limit of 0 calls/],
      ['--max-tokens', /limit of 0 tokens/],
      ['--max-minutes', /limit of 0 minutes/],
    ] as const) {
      const search = await TestSearch.make({ answer: tree.answer });
      await pauses(search, search.start(flag, '0'), message);
      assert.equal(search.server.log.length, 0);
    }
  });
});

/** A command must end with 3, say which limit is in the way, and leave everything open that was not done. */
async function pauses(search: TestSearch, command: ReturnType<TestSearch['start']>, message: RegExp) {
  const end = await endsWith(3, command);
  const last = printedEvents(end).at(-1);
  assert.ok(last?.type === 'search-paused' && last.reason === 'budget');
  assert.match(last.message, message);
  assert.match(end.stderr, /is reached\. To continue with a higher one:\n {2}thought-tree resume .* --max-/);
  const { state, reason, nodes } = await search.status();
  assert.equal(state, 'paused');
  assert.match(reason ?? '', message);
  assert.ok(nodes.every(({ status }) => ['unexpanded', 'expanded', 'leaf'].includes(status)));
  return last;
}

/** Without a raised limit it stays where it is; with one it ends as if it had never been paused. */
async function goesOn(search: TestSearch, ...raised: string[]): Promise<void> {
  const { log } = search.server;
  const requests = log.length;
  const before = diskState(search.folder);
  await endsWith(3, search.resume());
  assert.equal(log.length, requests);
  const changed = changesBetween(before, diskState(search.folder)).filter((path) => !path.startsWith('.search'));
  assert.ok(
    changed.every((path) => path.endsWith('node.json')),
    `${changed} changed`,
  );
  await endsAsUndisturbed(search, ...raised);
}

async function endsAsUndisturbed(search: TestSearch, ...raised: string[]): Promise<void> {
  await endsWith(0, search.resume(...raised));
  assert.deepEqual(repeatedCalls(search.server.log), []);
  assert.ok(search.server.log.length >= CALLS);
  await sameAsUndisturbed(search);
}

const undisturbed = new Map<string, Promise<Record<string, string>>>();

async function sameAsUndisturbed(search: TestSearch, ...flags: string[]): Promise<void> {
  const expected = undisturbed.get(String(flags)) ?? treeOfUndisturbed(flags);
  undisturbed.set(String(flags), expected);
  assert.deepEqual(await search.tree(), await expected);
}

async function treeOfUndisturbed(flags: readonly string[]): Promise<Record<string, string>> {
  const other = await TestSearch.make({ answer: tree.answer });
  await endsWith(0, other.start('--size', 'all', ...flags));
  return await other.tree();
}

/** The most tokens that one of the requests so far could have used. */
function largestWorstCase(search: TestSearch): number {
  return Math.max(...search.journal().map((event) => (event.type === 'call-started' ? event.worst.tokens : 0)));
}
