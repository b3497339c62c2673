import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endsWith, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import type { LoggedRequest } from '../../support/servers/scripted-server.ts';
import { type FaultKind, randomFaults, randomLatency } from '../../support/servers/server-faults.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';

const KINDS = ['429', '500', 'cut', 'hang', 'garbage'] as const satisfies readonly FaultKind[];
const tree = scriptedTree({ fanout: (_path, depth) => [5, 3, 1][depth] ?? 0, documentWords: 60 });
const FLAGS = ['--size', 'all', '--timeout', '2'];
/** A node whose document is senseless however often it is asked for. */
const [HOPELESS] = tree.titlesOf('').map((title) => title.toLowerCase().replaceAll(' ', '-'));

describe('a server whose every fifth answer fails', () => {
  afterEach(removeSearches);

  it('is tolerated: every node and every token is accounted for', async () => {
    const random = randomFaults(0.2, 11, KINDS);
    const search = await TestSearch.make({
      answer: tree.answer,
      latencyMs: randomLatency(1, 20, 3),
      fault: (call) => (call.purpose === 'document' && call.node === HOPELESS ? 'garbage' : random(call)),
    });
    await endsWith(0, search.start(...FLAGS));
    const { log } = search.server;
    for (const kind of KINDS)
      assert.ok(
        log.some(({ outcome }) => outcome === kind),
        `no answer was ${kind}`,
      );
    const faulty = log.filter(({ outcome }) => outcome !== 'answered').length;
    assert.ok(faulty >= 0.15 * log.length, `${faulty} of ${log.length} went wrong`);
    await checkNodes(search);
    checkSpend(search, (await search.status()).results);
  });

  it('is given up on if nothing else comes: the search pauses, and ends once the server has recovered', async () => {
    let ill = true;
    const search = await TestSearch.make({ answer: tree.answer, fault: () => (ill ? '500' : undefined) });
    await endsWith(4, search.start(...FLAGS));
    assert.equal(search.server.log.length, 5, 'five tries');
    ill = false;
    await endsWith(0, search.resume());
    assert.equal((await search.status()).results.open, 0);
  });
});

/** All nodes are done except the hopeless one, which says why, and the nodes that would be below it. */
async function checkNodes(search: TestSearch): Promise<void> {
  const { nodes, results, state } = await search.status();
  assert.equal(state, 'finished');
  assert.deepEqual([results.expanded, results.leaves, results.failed, results.open], [4 + 12, 12, 1, 0]);
  assert.equal(nodes.length, 5 + 12 + 12);
  for (const { path, status, failure } of nodes) {
    const done = status === 'expanded' || status === 'leaf';
    assert.equal(existsSync(join(search.folder, path, 'document.md')), done, path);
    assert.equal(existsSync(join(search.folder, path, 'children.json')), done, path);
    if (!done) assert.deepEqual([path, status, failure?.reason], [HOPELESS, 'failed', 'bad-answer']);
  }
}

/** What told its usage counts as it was, what broke off at its worst, an error before the answer not at all. */
function checkSpend({ server }: TestSearch, results: Awaited<ReturnType<TestSearch['status']>>['results']): void {
  const are = (...kinds: LoggedRequest['outcome'][]) => server.log.filter(({ outcome }) => kinds.includes(outcome));
  const told = are('answered', 'garbage');
  const broken = are('cut', 'hang');
  const free = are('429', '500');
  assert.equal(told.length + broken.length + free.length, server.log.length);
  const sum = (of: (request: LoggedRequest) => number): number => told.reduce((total, each) => total + of(each), 0);
  assert.deepEqual(
    { ...results.tokens, worstCase: 0 },
    {
      prompt: sum(({ promptTokens }) => promptTokens),
      cached: sum(({ cachedTokens }) => cachedTokens),
      completion: sum(({ completionTokens }) => completionTokens),
      worstCase: 0,
    },
  );
  assert.equal(results.calls, told.length + broken.length);
  const { prompt, completion, worstCase } = results.tokens;
  assert.ok(prompt + completion + worstCase >= server.billed.prompt + server.billed.completion);
  assert.ok(worstCase > 0);
}
