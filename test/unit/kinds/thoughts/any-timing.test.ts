import assert from 'node:assert/strict';
import fc from 'fast-check';
import { effort } from '../../../support/effort.ts';
import { chanceTask, type ThoughtModelOptions } from '../../../support/models/thought-model.ts';
import { simulateThoughts, type ThoughtSimulationOptions } from '../../../support/searches/simulated-thoughts.ts';
import { snapshotOfTree } from '../../../support/searches/tree-snapshot.ts';
import { seededRandom } from '../../../support/virtual-clock.ts';

/** Slots, and the seed of the latencies. */
interface Timing {
  readonly concurrency: number;
  readonly seed: number;
}

/** What a search did with these answers at such times: its nodes with all that decides, and the calls that it paid. */
async function runWith(given: ThoughtSimulationOptions, { concurrency, seed }: Timing): Promise<object> {
  const random = seededRandom(seed);
  const latencyMs = (): number => Math.floor(random.next() ** 3 * 10_000);
  const simulation = await simulateThoughts({
    ...given,
    search: { concurrency },
    model: { ...given.model, latencyMs },
  });
  await simulation.run();
  const calls = simulation.model.log.map(({ purpose, about }) => `${purpose} ${about}`).sort();
  return { tree: snapshotOfTree(simulation.search.tree), calls };
}

const timing = fc.record({ concurrency: fc.integer({ min: 1, max: 16 }), seed: fc.nat() });

type Asked = typeof searches extends fc.Arbitrary<infer T> ? T : never;

const searches = fc.record({
  prompt: fc.nat(500).map((n) => `Problem ${n}`),
  hasTask: fc.boolean(),
  graded: fc.boolean(),
  options: fc.record({
    candidates: fc.integer({ min: 1, max: 5 }),
    beam: fc.integer({ min: 1, max: 4 }),
    threshold: fc.constantFrom(0, 3, 5),
    maxDepth: fc.integer({ min: 2, max: 4 }),
    judge: fc.constantFrom('layer' as const, 'parent' as const),
    beamFollowsScores: fc.boolean(),
    tries: fc.integer({ min: 1, max: 3 }),
    samples: fc.integer({ min: 1, max: 2 }),
    generation: fc.constantFrom('sequential_proposal' as const, 'independent_sampling' as const),
    size: fc.constantFrom('small' as const, 'all' as const),
  }),
});

/** Texts begin with the problem, so that each problem has its own scores and solutions. */
function modelFor(prompt: string): ThoughtModelOptions {
  return {
    thoughts: (path, earlier, count) => {
      const above = path.at(-1) ?? prompt;
      return Array.from({ length: count }, (_, i) => ({ content: `${above}.${earlier.length + i + 1}` }));
    },
  };
}

/** A search by this strategy with one slot and the shortest latencies, and with each of these timings. */
async function assertSame(
  strategy: string,
  { prompt, hasTask, graded, options }: Asked,
  timings: readonly Timing[],
): Promise<void> {
  const task = hasTask ? { task: chanceTask } : {};
  const given: ThoughtSimulationOptions = {
    strategy,
    prompt,
    options,
    model: { ...modelFor(prompt), graded },
    ...task,
  };
  const first = await runWith(given, { concurrency: 1, seed: 1 });
  for (const each of timings) assert.deepEqual(await runWith(given, each), first);
}

describe('the same answers', () => {
  for (const strategy of ['breadth-first', 'depth-first'])
    it(`give the same tree by ${strategy}, whatever the number of slots and the timing of answers`, async () => {
      await fc.assert(
        fc.asyncProperty(searches, timing, timing, (search, one, other) => assertSame(strategy, search, [one, other])),
        { numRuns: effort(120) },
      );
    });

  it('give the same tree by best-first with one slot, whatever the timing of answers', async () => {
    await fc.assert(
      fc.asyncProperty(searches, timing, (search, one) =>
        assertSame('best-first', search, [{ ...one, concurrency: 1 }]),
      ),
      { numRuns: effort(40) },
    );
  });
});
