import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Model, ModelAnswer } from '../../../../src/core/ports/model.ts';
import type { Clock } from '../../../../src/core/ports/ports.ts';
import type { Size } from '../../../../src/core/search/limits.ts';
import { pickCandidates } from '../../../../src/models/quotes/answer-request.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles } from '../../../support/crashing-files.ts';
import { effort, someOf } from '../../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { simulatedModel } from '../../../support/models/simulated-model.ts';
import { mochaModel } from '../../../support/quotes/shared-models.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';
import { scriptedTree } from '../../../support/servers/server-tree.ts';
import { fastClock, seededRandom, VirtualClock } from '../../../support/virtual-clock.ts';

interface Timing {
  readonly concurrency: number;
  readonly seed: number;
  /** It is killed at this change, and resumed. */
  readonly killedAt?: number | undefined;
}

interface Asked {
  readonly size: Size;
  readonly picker: 'ranked' | 'one-at-a-time';
  readonly tree: number;
}

const right = { check: () => undefined, release: async () => undefined };
let runs = 0; // no two runs draw the same ids

/** A model that writes no words of its own, as `workspace/quotes` is: it ranks by rule, and the rest is scripted. */
function byRule(clock: Clock, tree: number, seed: number): Model {
  const random = seededRandom(seed);
  const scripted = simulatedModel({
    clock,
    tree: scriptedTree({ seed: tree, fanout: (path, depth) => ([6, 4, 3, 2][depth] ?? 0) + (path.length % 2) }),
    latencyMs: () => Math.floor(random.next() ** 3 * 10_000),
  });
  const generate: Model['generate'] = async (request, call): Promise<ModelAnswer> => {
    const answer = await scripted.generate(request, call);
    const { rule, question } = request.data;
    if (rule?.by !== 'expectation') return answer;
    return { ...answer, text: `<output>\n${pickCandidates(question, rule).join('\n')}\n</output>` };
  };
  return { ...scripted, free: true, prose: false, generate };
}

async function treeOf({ size, picker, tree }: Asked, { concurrency, seed, killedAt }: Timing): Promise<object> {
  const files = new MemoryFiles();
  createMemoryStore({ ...QUESTION, options: { size, picker, maxDepth: 4 } }, files);
  for (const crashAt of killedAt === undefined ? [undefined] : [killedAt, undefined]) {
    const clock = new VirtualClock();
    const crashing = new CrashingFiles(files, crashAt, seed % 2 === 0);
    const work = async (): Promise<void> => {
      const store = new SearchStore(crashing, right);
      const model = byRule(clock, tree, seed + runs);
      const { search } = await simulate({ store, seed: ++runs, search: { concurrency, clock, model } });
      await clock.run(search.run());
    };
    await crashing.ended(work());
    clock.stop();
  }
  return await snapshotOf(files);
}

const searches = fc.record({
  size: fc.constantFrom('small' as const, 'medium' as const, 'all' as const),
  picker: fc.constantFrom('ranked' as const, 'one-at-a-time' as const),
  tree: fc.nat(1000),
});
const timing = fc.record({
  concurrency: fc.integer({ min: 1, max: 16 }),
  seed: fc.nat(),
  killedAt: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
});

describe('research with a model that quotes', () => {
  it('gives the same tree whatever the number of slots and the timing, also when it is killed', async () => {
    await fc.assert(
      fc.asyncProperty(searches, timing, async (search, given) => {
        const once = await treeOf(search, { concurrency: 1, seed: 1 });
        assert.deepEqual(await treeOf(search, given), once);
      }),
      { numRuns: effort(25) },
    );
  });

  it('gives the same tree of a real workspace, on any number of slots', async () => {
    const trees: object[] = [];
    for (const concurrency of [1, ...someOf([4, 16], 1)]) {
      const model = mochaModel();
      const random = seededRandom(concurrency);
      const slow: Model['generate'] = async (request, call) => {
        const answer = await model.generate(request, call);
        await new Promise((resolve) => setTimeout(resolve, random.next() * 8));
        return answer;
      };
      const files = new MemoryFiles();
      const prompt = 'How are hooks and retries run?';
      const store = createMemoryStore({ ...QUESTION, prompt, options: { size: 'small' } }, files);
      // Fast, but an index made by a busy machine must not take longer than a call may.
      const clock = fastClock(10);
      const { search } = await simulate({ store, search: { concurrency, clock, model: { ...model, generate: slow } } });
      await search.run();
      trees.push(await snapshotOf(files));
    }
    assert.ok(Object.keys(trees[0] as object).length > 40);
    for (const tree of trees) assert.deepEqual(tree, trees[0]);
  });
});
