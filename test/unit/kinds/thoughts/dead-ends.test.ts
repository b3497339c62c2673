import assert from 'node:assert/strict';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import { findingsIn } from '../../../../src/core/search/record/search-state.ts';
import { nodeAt, type TreeNode, walk } from '../../../../src/core/tree/tree.ts';
import type { Task } from '../../../../src/kinds/thoughts/tasks/task.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import {
  simulateThoughts,
  type ThoughtSimulation,
  type ThoughtSimulationOptions,
  thoughtFile,
} from '../../../support/searches/simulated-thoughts.ts';
import { thoughtData } from '../../../support/searches/thought-data.ts';

const OPTIONS = { candidates: 2, beam: 2, threshold: 5, maxDepth: 2 };
const right = { check: () => undefined, release: async () => undefined };
const node = ({ search }: ThoughtSimulation, path: string): TreeNode => nodeAt(search.tree, path) as TreeNode;
const asked = ({ model }: ThoughtSimulation, purpose: string): number =>
  model.log.filter((call) => call.purpose === purpose).length;
const act = (simulation: ThoughtSimulation, call: ActionCall): Promise<unknown> =>
  simulation.clock.run(simulation.search.act(call, 'me'));
const solutions = ({ search }: ThoughtSimulation): string[] =>
  [...walk(search.tree.root)].filter(({ leafReason }) => leafReason === 'solved').map(({ title }) => title);

async function searched(given: ThoughtSimulationOptions): Promise<ThoughtSimulation> {
  const simulation = await simulateThoughts({ options: OPTIONS, ...given });
  await simulation.run();
  return simulation;
}

describe('a search of which everything was pruned', () => {
  for (const strategy of ['breadth-first', 'depth-first', 'best-first'])
    it(`says what may be done, and goes on with another threshold, judging again what was pruned: ${strategy}`, async () => {
      let isKinder = false;
      const score = (): number => (isKinder ? 4 : 3.5);
      const files = new MemoryFiles();
      const given = { strategy, options: { ...OPTIONS, tries: 1 }, model: { score } };
      createMemoryStore(thoughtFile(given), files);
      const first = await searched({ ...given, store: new SearchStore(files, right) });
      const outcome = await first.run();
      assert.match(
        (outcome.state === 'finished' && outcome.message) || '',
        /^Nothing is left to continue from\. 2 thoughts were pruned; .* scored 3\.5, and the threshold is 5\./,
      );
      assert.match((await first.store.readReport()) ?? '', /Reconsider them with a lower threshold/);
      assert.deepEqual(findingsIn(outcome.results, 'thoughts')?.next, [
        { action: 'reconsider', args: { threshold: 3 } },
        { action: 'reconsider', args: { candidates: 4 } },
      ]);
      isKinder = true;
      await act(first, { action: 'reconsider', threshold: 3 });
      assert.deepEqual([node(first, 'node_1').status, node(first, 'node_1').evaluation], ['unexpanded', undefined]);
      const second = await searched({ ...given, store: new SearchStore(files, right), seed: 2 });
      assert.equal(node(second, 'node_1').evaluation?.score, 4, 'it is judged again');
      assert.equal(
        findingsIn(second.search.results, 'thoughts')?.finishedPath.length,
        2,
        'with the new threshold to its end',
      );
      assert.deepEqual(findingsIn(second.search.results, 'thoughts')?.next, []);
    });

  it('asks for more thoughts at a node, where that is wanted', async () => {
    const score = (content: string): number => (content.endsWith('3') ? 8 : 3);
    const simulation = await searched({ strategy: 'breadth-first', model: { score } });
    assert.equal(simulation.search.tree.root.children.length, 2);
    await act(simulation, { action: 'reconsider', candidates: 3 });
    await simulation.run();
    assert.equal(simulation.search.tree.root.children.length, 5);
    assert.equal(node(simulation, 'node_3').status, 'expanded');
  });

  it('keeps what a person, a constraint or a verifier pruned, and wants to know what is to change', async () => {
    const task: Task = {
      name: 'half',
      defaults: {},
      verify: ({ thoughts }) => (thoughts.at(-1)?.content === 'step.1' ? { ok: false, why: 'No.' } : { ok: true }),
    };
    const options = { ...OPTIONS, candidates: 3 };
    const simulation = await searched({ strategy: 'breadth-first', task, options, model: { score: () => 2 } });
    await act(simulation, { action: 'restore', node: 'node_3' });
    await act(simulation, { action: 'prune', node: 'node_3' });
    await assert.rejects(act(simulation, { action: 'reconsider' }), /another threshold, or how many/);
    await act(simulation, { action: 'reconsider', threshold: 1 });
    const status = (path: string): string => node(simulation, path).status;
    assert.deepEqual(['node_1', 'node_2', 'node_3'].map(status), ['pruned', 'unexpanded', 'pruned']);
  });
});

describe('a solved search', () => {
  const goal: Task = {
    name: 'goal',
    defaults: {},
    solved: ({ thoughts }) => /\.[12]$/.test(thoughts.at(-1)?.content ?? '') && thoughts.length === 2,
  };

  for (const strategy of ['breadth-first', 'depth-first', 'best-first'])
    it(`looks for another solution when it is asked for one, and only then: ${strategy}`, async () => {
      const given = { strategy, options: { ...OPTIONS, candidates: 1, tries: 1, beam: 1 }, task: goal };
      const files = new MemoryFiles();
      createMemoryStore(thoughtFile(given), files);
      const open = (seed: number): Promise<ThoughtSimulation> =>
        searched({ ...given, store: new SearchStore(files, right), seed, model: { score: () => 7 } });
      const first = await open(1);
      assert.equal(solutions(first).length, 1);
      assert.deepEqual(findingsIn(first.search.results, 'thoughts')?.next, [{ action: 'another-solution', args: {} }]);
      const again = await open(2);
      assert.equal(asked(again, 'generate'), 0, 'nothing without being asked');
      await act(again, { action: 'another-solution' });
      const second = await open(3);
      assert.equal(solutions(second).length, 2);
      const outcome = await second.run();
      assert.equal(outcome.state === 'finished' && outcome.reason, 'solved');
    });

  it('takes up what was passed over before it asks for other thoughts', async () => {
    const score = (content: string): number => (content.startsWith('step.1') ? 9.8 : 8);
    const model = {
      score,
      instead: ({ data: sent }: { data: unknown }) => {
        const data = thoughtData(sent as never);
        return data.purpose === 'decompose'
          ? '<output>{"success_criteria": "done", "solutions": "exact"}</output>'
          : undefined;
      },
    };
    const simulation = await searched({ strategy: 'depth-first', model });
    assert.deepEqual(solutions(simulation), ['step.1.1']);
    await act(simulation, { action: 'another-solution' });
    await simulation.run();
    assert.ok(solutions(simulation).length >= 2);
    assert.equal(asked(simulation, 'generate'), 2, 'the second was called a solution already, and is checked');
  });
});
