import assert from 'node:assert/strict';
import fc from 'fast-check';
import { effort } from '../../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';

const tree = { fanout: (_path: string, depth: number) => [6, 4, 3][depth] ?? 0 };
const price = { prompt: 3, cached: 0.3, completion: 15 };
const latencyMs = () => 1000;

describe('the budget', () => {
  const guards = [{ calls: 17 }, { tokens: 60_000 }, { usd: 0.5 }, { minutes: 0.2 }] as const;
  for (const guard of guards)
    it(`pauses before ${JSON.stringify(guard)} is exceeded, asks, and continues when it is raised`, async () => {
      const files = new MemoryFiles();
      const limits = { size: 'all' as const, guards: guard };
      const model = { price, latencyMs };
      const first = await simulate({ tree, model, store: createMemoryStore(QUESTION, files), search: { limits } });
      const outcome = await first.run();
      assert.deepEqual([outcome.state, outcome.reason], ['paused', 'budget']);
      const { calls, tokens, usd } = outcome.results;
      assert.ok(calls > 2, 'some work was done');
      assert.ok(calls <= ('calls' in guard ? guard.calls : Number.POSITIVE_INFINITY));
      assert.ok(tokens.prompt + tokens.completion <= ('tokens' in guard ? guard.tokens : Number.POSITIVE_INFINITY));
      assert.ok(usd <= ('usd' in guard ? guard.usd : Number.POSITIVE_INFINITY));
      const raised = { size: 'all' as const, guards: Object.fromEntries(Object.keys(guard).map((key) => [key, 1e9])) };
      const store = createMemoryStore(QUESTION, files);
      const second = await simulate({ tree, model, store, search: { limits: raised }, seed: 2 });
      assert.equal((await second.run()).state, 'finished');
      const kept = await simulate({ tree, model, store: createMemoryStore(QUESTION, files), seed: 3 });
      assert.deepEqual(kept.search.limits.guards, { calls: 1000, tokens: 2_000_000, usd: 5, ...raised.guards });
    });

  it('is never passed, whatever the prices and the number of slots, and never understated', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 1, max: 16 }),
        fc.record({
          calls: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
          tokens: fc.option(fc.integer({ min: 0, max: 300_000 }), { nil: undefined }),
          usd: fc.option(fc.double({ min: 0, max: 3, noNaN: true }), { nil: undefined }),
        }),
        async (seed, concurrency, chosen) => {
          const guards = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
          const simulation = await simulate({
            tree: { ...tree, seed },
            model: { price, latencyMs: ({ prompt }) => (prompt.length * 31 + seed) % 1000 },
            search: { concurrency, limits: { size: 'all', guards } },
            seed,
          });
          const { results } = await simulation.run();
          const billed = simulation.model.log.reduce((sum, call) => sum + call.prompt + call.completion, 0);
          assert.equal(results.tokens.prompt + results.tokens.completion + results.tokens.worstCase, billed);
          assert.ok(results.calls <= (guards['calls'] ?? 1000));
          assert.ok(billed <= (guards['tokens'] ?? 2_000_000));
          assert.ok(results.usd <= (guards['usd'] ?? 5) + 1e-9);
        },
      ),
      { numRuns: effort(60) },
    );
  });

  it('says what a limit is made of when it pauses', async () => {
    const reasons = [
      [{ usd: 0.5 }, /limit of \$0\.50\. Used: \$0\.\d+; the next call could cost up to \$0\.\d+\./],
      [{ tokens: 60_000 }, /limit of 60,000 tokens\. Used: [\d,]+; the next call could use up to [\d,]+\./],
      [{ calls: 17 }, /limit of 17 calls\. Made: 16; one is kept for the report\./],
    ] as const;
    for (const [guards, reason] of reasons) {
      const { run } = await simulate({
        tree,
        model: { price, latencyMs },
        search: { limits: { size: 'all', guards } },
      });
      const outcome = await run();
      assert.ok(outcome.state === 'paused');
      assert.match(outcome.message, reason);
    }
    const { run } = await simulate({
      tree: { ...tree, fanout: (_path, depth) => (depth < 4 ? 8 : 0) },
      model: { price, latencyMs },
      search: { limits: { size: 'all', guards: { usd: 1.2 } } },
    });
    const outcome = await run();
    assert.ok(outcome.state === 'paused');
    assert.match(outcome.message, / \$0\.\d+ is kept for the report\.$/, 'a part that is neither used nor asked for');
  });

  it('says once that it cannot hold in money for a model without a price, and holds in tokens', async () => {
    const search = { limits: { size: 'all' as const, guards: { usd: 0.01, tokens: 60_000 } } };
    const { run, events } = await simulate({ tree, model: { latencyMs }, search });
    const outcome = await run();
    const said = events.flatMap((event) => (event.type === 'usage-doubted' ? [event.message] : []));
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', /limit of \$0\.01 cannot hold in money\. What holds: 60,000 tokens, 1,000 calls\./);
    assert.ok(outcome.state === 'paused' && outcome.cause === 'tokens');
    for (const known of [{ price }, { free: true }]) {
      const { run: other, events: others } = await simulate({ tree, model: { ...known, latencyMs }, search });
      await other();
      assert.ok(!others.some(({ type }) => type === 'usage-doubted'));
    }
  });

  it('does not bind a model that costs nothing, unless a person says so', async () => {
    const free = await simulate({ tree, model: { free: true, latencyMs } });
    assert.deepEqual(free.search.limits.guards, {});
    const told = await simulate({ tree, model: { free: true }, search: { limits: { guards: { calls: 5 } } } });
    const outcome = await told.run();
    assert.deepEqual([outcome.state, outcome.results.calls], ['paused', 5]);
  });
});
