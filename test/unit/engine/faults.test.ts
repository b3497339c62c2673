import assert from 'node:assert/strict';
import { foreign } from '../../../src/core/messages/message.ts';
import { type ErrorDetails, type Reason, ThoughtTreeError } from '../../../src/core/search/errors.ts';
import { createMemoryStore, MemoryFiles } from '../../support/memory-store.ts';
import { QUESTION, simulate } from '../../support/searches/simulated-search.ts';
import { chance } from '../../support/servers/server-random.ts';

const tree = { fanout: (_path: string, depth: number) => [6, 4, 3][depth] ?? 0 };
const latencyMs = () => 1000;
const fail = (reason: Reason, details: ErrorDetails = {}) =>
  new ThoughtTreeError(reason, foreign({ text: `It was ${reason}.` }), details);
const all = { limits: { size: 'all' as const } };

describe('a search whose model fails', () => {
  it('gets over passing faults, every node accounted for', async () => {
    const faults = [
      fail('rate-limited', { charged: false }),
      fail('server-error', { charged: false }),
      fail('cut-off'),
    ];
    const simulation = await simulate({
      tree,
      model: {
        latencyMs,
        instead: ({ purpose, node }, attempt) => {
          if (chance('fault', purpose, node, attempt) > 0.2) return undefined;
          return faults[attempt % 3] ?? 'garbage';
        },
      },
      search: all,
    });
    const { state, results } = await simulation.run();
    assert.equal(state, 'finished');
    assert.equal(results.expanded + results.leaves + results.failed, simulation.search.tree.size);
    assert.ok(results.failed <= 2);
  });

  for (const reason of ['key-refused', 'quota-exceeded', 'unknown-model'] as const)
    it(`pauses and asks a person when it is ${reason}, and continues later`, async () => {
      const files = new MemoryFiles();
      const model = {
        latencyMs,
        instead: ({ node }: { node: string }) => (node.includes('/') ? fail(reason) : undefined),
      };
      const first = await simulate({ tree, model, store: createMemoryStore(QUESTION, files), search: all });
      const outcome = await first.run();
      assert.ok(outcome.state === 'paused' && outcome.reason === 'person' && outcome.cause === reason);
      assert.equal(outcome.results.failed, 0, 'the nodes are not to blame');
      const second = await simulate({ tree, store: createMemoryStore(QUESTION, files), search: all, seed: 2 });
      assert.equal((await second.run()).results.expanded, 6 + 24);
    });

  it('pauses when the model is not reached even once, after a few tries', async () => {
    const simulation = await simulate({ model: { instead: () => fail('unreachable', { charged: false }) } });
    const outcome = await simulation.run();
    assert.ok(outcome.state === 'paused' && outcome.reason === 'person' && outcome.cause === 'unreachable');
    assert.equal(simulation.events.filter(({ type }) => type === 'call-started').length, 3);
    assert.equal(outcome.results.calls, 0, 'a call that did not arrive costs nothing');
  });

  it('waits for a missing network, and continues by itself', async () => {
    const until = { time: 0 };
    const simulation = await simulate({
      tree,
      model: {
        latencyMs,
        instead: () => {
          const now = simulation.clock.now();
          if (simulation.model.log.length === 20 && until.time === 0) until.time = now + 3_600_000;
          return now < until.time ? fail('unreachable', { charged: false }) : undefined;
        },
      },
      search: all,
    });
    const { state, results } = await simulation.run();
    assert.deepEqual([state, results.failed], ['finished', 0]);
    const waits = simulation.events.filter(({ type }) => type === 'search-waiting');
    assert.equal(waits.length, 1, 'one wait for all slots');
    assert.ok(simulation.events.some(({ type }) => type === 'search-running'));
  });

  it('waits as long as the server asks', async () => {
    const simulation = await simulate({
      tree: { fanout: (_path, depth) => (depth === 0 ? 1 : 0) },
      model: {
        instead: ({ purpose }, attempt) =>
          purpose === 'document' && attempt === 1
            ? fail('rate-limited', { retryAfterMs: 90_000, charged: false })
            : undefined,
      },
      search: all,
    });
    const before = simulation.clock.now();
    await simulation.run();
    assert.ok(simulation.clock.now() - before >= 90_000);
  });

  it('pauses after five nodes in a row failed for the same reason, with these open again', async () => {
    const simulation = await simulate({
      tree,
      model: { latencyMs, instead: ({ node }) => (node === '' ? undefined : fail('bad-request', { charged: false })) },
      search: { ...all, concurrency: 1 },
    });
    const outcome = await simulation.run();
    assert.ok(outcome.state === 'paused' && outcome.reason === 'person' && outcome.cause === 'five-failures');
    assert.deepEqual([outcome.results.failed, outcome.results.open], [0, 6]);
  });

  it('continues after single nodes fail, and says why they did', async () => {
    const simulation = await simulate({
      tree,
      model: { latencyMs, instead: ({ node }) => (/1$/.test(node) ? 'senseless' : undefined) },
      search: all,
    });
    const { state, results } = await simulation.run();
    assert.equal(state, 'finished');
    assert.ok(results.failed > 0);
    const failed = simulation.search.tree.root.children.find(({ status }) => status === 'failed');
    assert.equal(failed?.failure?.reason, 'bad-answer');
    assert.equal((await simulation.store.readNodeFile(failed?.slug ?? ''))?.failure?.reason, 'bad-answer');
  });

  it('pauses when the root call fails', async () => {
    const simulation = await simulate({ model: { instead: () => 'senseless' } });
    const outcome = await simulation.run();
    assert.ok(outcome.state === 'paused' && outcome.reason === 'person' && outcome.cause === 'bad-answer');
  });

  it('is not held up by a picker that answers nonsense for ever', async () => {
    for (const picker of ['ranked', 'one-at-a-time'] as const) {
      const simulation = await simulate({
        tree,
        model: { latencyMs, instead: ({ purpose }) => (purpose === 'pick' ? '<output>../../etc</output>' : undefined) },
        search: { ...all, options: { picker } },
      });
      const { state, results } = await simulation.run();
      assert.deepEqual([state, results.expanded + results.leaves], ['finished', 6 + 24 + 72]);
    }
  });

  it('gives up on a model that hangs, at the time limit', async () => {
    const simulation = await simulate({
      tree: { fanout: (_path, depth) => (depth === 0 ? 2 : 0) },
      model: { latencyMs: ({ purpose, node }) => (purpose === 'document' && node.endsWith('1') ? 1e9 : 10) },
      search: { ...all, timeoutMs: 60_000 },
    });
    const { state, results } = await simulation.run();
    assert.deepEqual([state, results.leaves, results.failed], ['finished', 1, 1]);
    assert.ok(results.tokens.worstCase > 0, 'what hung may have cost something');
  });
});
