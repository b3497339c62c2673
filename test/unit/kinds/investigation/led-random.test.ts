import { effort } from '../../../support/effort.ts';
import '../../../support/property-seed.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import type { ModelRequest } from '../../../../src/core/ports/model.ts';
import { pathOf, walk } from '../../../../src/core/tree/tree.ts';
import { momentOf } from '../../../../src/kinds/investigation/led/led-investigation.ts';
import { LedStrategy } from '../../../../src/kinds/investigation/led/led-strategy.ts';
import { ledAnswer, simulateLed } from '../../../support/investigation/led-investigation.ts';
import { leftIn, problemsIn } from '../../../support/investigation/led-problems.ts';
import type { Simulation } from '../../../support/searches/simulated-search.ts';
import { seededRandom } from '../../../support/virtual-clock.ts';

const RESULTS = ['settled', 'open', 'nothing', 'FOUND', 'EXHAUST', 'so-so'];
const VERDICTS = ['confirmed', 'refuted', 'in part', 'not checked', 'true', 'perhaps'];
const NONSENSE = [
  '',
  'I would rather not.',
  '<output>[]</output>',
  '<output>{"leads": "none"}</output>',
  '<output>{"answer": 7, "leads": []}</output>',
  '<output>{"leads": [{"title": "Again", "from": "__proto__"}, {"title": 7, "from": null}, {}], "contradictions": [[1], ["x", 2], [9, 9]]}</output>',
  '---\nresult: [settled]\n---\nYes.',
  '---\nresult: settled\n',
  '---\nfindings:\n  - verdict: refuted\n    claim: -3\n  - 7\n---\nNo.',
  `---\nstate: DEAD\noutcome: confirmed\n---\n\n${'nothing '.repeat(20_000)}`,
];

/** Answers of a model that mostly keeps to the form, and sometimes to none. */
function wildAnswer(next: () => number): (request: ModelRequest) => string {
  const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  return (request) => {
    if (next() < 0.08) return one(NONSENSE);
    return ledAnswer(request, {
      result: () => one(RESULTS),
      verdict: () => one(VERDICTS),
      open: () => (next() < 0.3 ? ['What it is.'] : []),
      contradictions: () => (next() < 0.3 ? [[1, 2]] : []),
      leads: (_round, prompt) => {
        const ids = [...prompt.matchAll(/^(R\d+\.\w+) "/gm)].flatMap(([, id]) => id ?? []);
        const count = Math.floor(next() * 4);
        return Array.from({ length: count }, () => {
          return { title: `Lead ${Math.floor(next() * 40)}`, from: one([...ids, 'R1.A', 'R7.X']) };
        });
      },
    });
  };
}

/** What a person may do at any moment. */
function act({ search }: Simulation, next: () => number): ActionCall | undefined {
  const nodes = [...walk(search.tree.root)].slice(1);
  const node = nodes[Math.floor(next() * nodes.length)];
  if (!node) return undefined;
  const action = ['prune', 'restore', 'redo', 'add', 'expand', 'retry'][Math.floor(next() * 6)] as string;
  return {
    action,
    node: pathOf(node),
    ...(action === 'add' && { title: `By hand ${Math.floor(next() * 100)}` }),
    ...(action === 'redo' && { force: true }),
  };
}

/** Lets a wild model lead an investigation, and a person act on it between four runs. */
async function lead(seed: number, concurrency: number): Promise<void> {
  const { next } = seededRandom(seed);
  const options = { size: 'small' as const, minRounds: Math.floor(next() * 5) };
  const simulation = await simulateLed(
    { instead: wildAnswer(next), latencyMs: () => Math.floor(next() * 1000) },
    { seed, file: { options }, search: { concurrency } },
  );
  const { search, clock } = simulation;
  for (let run = 0; run < 4; run++) {
    const outcome = await simulation.run();
    const where = `seed ${seed}, run ${run}`;
    assert.deepEqual(problemsIn(search), [], where);
    // Five failures in a row pause a search, and answers that are too long are paid for; then a person decides.
    if (outcome.state === 'paused') assert.match(outcome.reason, /^(person|budget)$/, where);
    else if (outcome.reason === 'complete') assert.deepEqual(leftIn(search), [], where);
    const call = act(simulation, next);
    if (call) await clock.run(search.act(call, 'test')).catch(() => undefined);
  }
}

describe('random investigations that the engine leads', () => {
  it('keep to the rules whatever is answered, and end', async () => {
    await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 5 }), lead), {
      numRuns: effort(60),
    });
  });

  it('know at any moment what they would know if they were opened again', async () => {
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), async (seed) => {
      const { next } = seededRandom(seed);
      const simulation = await simulateLed(
        { instead: wildAnswer(next) },
        {
          seed,
          file: { options: { size: 'small' } },
          search: { concurrency: 2, limits: { guards: { calls: 1 + Math.floor(next() * 20) } } },
        },
      );
      await simulation.run();
      const { file, tree, record: past, limits } = simulation.search;
      const now = () => momentOf({ file, tree, history: { past }, limits: { now: limits } } as never);
      const fresh = new LedStrategy(now, 'all');
      fresh.open(tree);
      const steps = leftIn(simulation.search);
      const first = steps.filter(({ turn }) => turn === steps[0]?.turn);
      assert.deepEqual(
        fresh.snapshot(),
        first.map(({ kind, node }) => ({ kind, node: node.id })),
      );
    });
    await fc.assert(property, { numRuns: effort(30) });
  });
});
