import assert from 'node:assert/strict';
import { findingsIn } from '../../../../src/core/search/record/search-state.ts';
import { nodeAt, walk } from '../../../../src/core/tree/tree.ts';
import type { Task } from '../../../../src/kinds/thoughts/tasks/task.ts';
import { simulateThoughts, type ThoughtSimulation } from '../../../support/searches/simulated-thoughts.ts';

// A step is `claim sum`, as in `+3 sum 7`; from 4. The goal is to be at 10 after two right steps.
const START = 4;
const claimOf = (content: string): number => Number(content.split(' sum ')[1]);
const isRight = (contents: readonly string[]): boolean => {
  const before = contents.length > 1 ? claimOf(contents.at(-2) as string) : START;
  return before + Number.parseInt(contents.at(-1) as string, 10) === claimOf(contents.at(-1) as string);
};
const contentsOf = ({ thoughts }: { thoughts: readonly { content: string }[] }): string[] =>
  thoughts.map(({ content }) => content);

const sums: Task = {
  name: 'sums',
  defaults: {},
  decomposition: () => ({
    thought_granularity: 'step',
    intermediate_steps: [],
    depth_estimate: 2,
    constraints: [],
    success_criteria: '10',
  }),
  verify: (path) => (isRight(contentsOf(path)) ? { ok: true } : { ok: false, why: 'The sum is wrong.' }),
  state: (path) => String(claimOf(contentsOf(path).at(-1) as string)),
  solved: (path) => contentsOf(path).length === 2 && claimOf(contentsOf(path).at(-1) as string) === 10,
  compose: (path) => contentsOf(path).join(', '),
};

const THOUGHTS: Readonly<Record<string, readonly string[]>> = {
  '': ['+1 sum 7', '+3 sum 7', '+2 sum 6', '3 sum 7'],
  '+3 sum 7': ['+3 sum 10'],
  '3 sum 7': ['+3 sum 10'],
};

function run(task: Task, options = {}): Promise<ThoughtSimulation> {
  return simulateThoughts({
    strategy: 'best-first',
    task,
    options: { candidates: 4, beam: 1, threshold: 0, maxDepth: 2, tries: 1, ...options },
    model: { thoughts: (path) => THOUGHTS[path.at(-1) ?? ''] ?? [], score: () => 5 },
  });
}

describe('merging of equal states', () => {
  it('makes one of two verified thoughts, and finds the solution', async () => {
    const simulation = await run(sums);
    const { results } = await simulation.run();
    assert.equal(findingsIn(results, 'thoughts')?.answer, '+3 sum 7, +3 sum 10');
    const [wrong, first, , same] = simulation.search.tree.root.children;
    assert.deepEqual([wrong?.prunedBy, wrong?.state], ['verifier', undefined]);
    assert.equal(first?.status, 'expanded');
    assert.deepEqual([same?.leafReason, same?.sameAs], ['duplicate', 'node_2']);
  });

  it('would lose it by unverified claims: the wrong step comes first, and takes the right ones with it', async () => {
    const credulous: Task = { ...sums, verify: () => ({ ok: true }), solved: (path) => allRight(path) && sumsUp(path) };
    const simulation = await run(credulous);
    const { results } = await simulation.run();
    assert.equal(findingsIn(results, 'thoughts')?.solved, false);
    assert.equal(simulation.search.tree.root.children[1]?.leafReason, 'duplicate');
  });

  it('gives back what was merged into a branch that a person prunes', async () => {
    const simulation = await run(sums, { beam: 3 });
    const { search } = simulation;
    await simulation.run();
    await search.act({ action: 'prune', node: 'node_2' }, 'test');
    const { results } = await simulation.run();
    assert.equal(findingsIn(results, 'thoughts')?.answer, '3 sum 7, +3 sum 10');
    assert.equal(nodeAt(search.tree, 'node_4')?.status, 'expanded');
    for (const node of walk(search.tree.root)) assert.notEqual(node.sameAs, 'node_2');
  });
});

const sumsUp = (path: { thoughts: readonly { content: string }[] }): boolean =>
  sums.solved?.(path as never, SIGNAL) === true;
const allRight = (path: { thoughts: readonly { content: string }[] }): boolean =>
  contentsOf(path).every((_, index, all) => isRight(all.slice(0, index + 1)));
const SIGNAL = new AbortController().signal;
