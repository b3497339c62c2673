import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from '../../support/servers/server-faults.ts';
import { DIR, SteeredSearch } from './steering/steered-search.ts';

interface Case {
  readonly what: string;
  readonly fault: Fault;
  /** What the person is told. */
  readonly says: RegExp;
}

const CASES: readonly Case[] = [
  { what: 'a revoked key', fault: { kind: '401' }, says: /does not accept the key.*THOUGHT_TREE_API_KEY/s },
  { what: 'an empty quota', fault: { kind: 'insufficient_quota' }, says: /quota is used up.*Add credit/s },
  { what: 'an unknown model', fault: { kind: '404' }, says: /has no such model.*Check the model's name/s },
  {
    what: 'a redirect to another host',
    fault: { kind: 'redirect', location: 'https://elsewhere.example/v1/chat/completions' },
    says: /redirects to https:\/\/elsewhere\.example.*use it as the base URL/s,
  },
];

describe('what goes wrong with a model', () => {
  let search: SteeredSearch;
  afterEach(() => search.remove());

  for (const { what, fault, says } of CASES)
    it(`${what} in the middle of a search pauses it, says what to do, and it continues once that is fixed`, async () => {
      let broken = false;
      search = await SteeredSearch.make({
        fault: () => (broken ? fault : undefined),
        onRequest: ({ n }) => {
          if (n === 8) broken = true;
        },
      });
      const first = await search.run('start', 'Why?', '--size', 'small', '--max-depth', '2', '--least-score', '0');
      assert.equal(first.code, 4, first.stdout + first.stderr);
      assert.match(first.stdout + first.stderr, says);
      assert.match(first.stdout, /resume thought-trees\/why/);
      const { state, reason } = await search.json<{ state: string; reason: string }>('status', DIR);
      assert.equal(state, 'paused');
      assert.match(reason, says);
      broken = false;
      assert.equal((await search.run('resume', DIR)).code, 0);
      const { results } = await search.json<{ results: { failed: number; open: number } }>('status', DIR);
      assert.deepEqual([results.failed, results.open], [0, 0]);
    });

  it('everything, for one reason, pauses the search with that reason, and it goes on once that is fixed', async () => {
    let broken = true;
    const fault: Fault = { kind: '400', body: { error: { message: 'No documents are written here.' } } };
    search = await SteeredSearch.make({
      fault: ({ purpose }) => (broken && purpose === 'document' ? fault : undefined),
    });
    const few = ['--size', 'small', '--max-depth', '1'];
    const first = await search.run('start', 'Why?', ...few);
    assert.equal(first.code, 4, first.stdout + first.stderr);
    assert.equal(first.stdout.match(/^Paused\. .*No documents are written here/gm)?.length, 1, first.stdout);
    const paused = await search.json<{ state: string; reason: string }>('status', DIR);
    assert.equal(paused.state, 'paused');
    assert.match(paused.reason, /failed for the same reason.*No documents are written here/);
    broken = false;
    assert.equal((await search.run('resume', DIR)).code, 0);
    const { results } = await search.json<{ results: { failed: number; leaves: number } }>('status', DIR);
    assert.deepEqual(results.failed, 0);
    assert.ok(results.leaves > 0);
  });

  it('everything, for several reasons, is a search that has failed, and so says its exit code', async () => {
    const nodes: string[] = [];
    search = await SteeredSearch.make({
      fault: ({ purpose, node }) => {
        if (purpose !== 'document') return undefined;
        if (!nodes.includes(node)) nodes.push(node);
        return nodes.indexOf(node) % 2 === 0 ? '400' : 'malformed';
      },
    });
    const few = ['--size', 'small', '--max-depth', '1'];
    const { code, stdout } = await search.run('start', 'Why?', ...few);
    assert.equal(code, 8, stdout);
    assert.match(stdout, /^The search has failed: .*nothing was written/m);
    assert.doesNotMatch(stdout, /complete/);
    assert.match(await readFile(join(search.folder, 'report.md'), 'utf8'), /The search has failed: /);
  });

  it('some of it is told in the last lines of a search that is complete', async () => {
    let first: string | undefined;
    search = await SteeredSearch.make({
      fault: ({ purpose, node }) => {
        if (purpose === 'document') first ??= node;
        return purpose === 'document' && node === first ? '400' : undefined;
      },
    });
    const { code, stdout } = await search.run('start', 'Why?', '--size', 'small', '--max-depth', '1');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^Tree search complete: .*, 1 failed$/m);
    assert.match(stdout, /1 topic failed\. To see why, and to retry:\n.*status.*\n.*retry.*\n*$/);
  });

  it('no network at the start says what to do, leaves the search resumable, and costs nothing', async () => {
    search = await SteeredSearch.make();
    const { baseUrl } = search.server;
    const gone = ['--base-url', baseUrl.replace(/:\d+/, ':1')];
    const first = await search.run('start', 'Why?', '--size', 'small', '--max-depth', '1', ...gone);
    assert.equal(first.code, 4);
    assert.match(first.stdout, /cannot be reached.*Check that the server runs, its address, and the network/);
    assert.equal((await search.run('resume', DIR)).code, 0);
  });

  it('a server at its limit is waited for, and the search continues by itself', async () => {
    search = await SteeredSearch.make({
      fault: ({ attempt, purpose }) => (purpose === 'document' && attempt === 1 ? '429' : undefined),
    });
    const { code, stdout } = await search.start('--size', 'small', '--max-depth', '1').end;
    assert.equal(code, 0);
    assert.match(stdout, /"type":"search-waiting","reason":"rate-limited"/);
    assert.match(stdout, /"type":"search-running"/);
  });
});
