import assert from 'node:assert/strict';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import { findingsIn } from '../../../../src/core/search/record/search-state.ts';
import { nodeAt, type TreeNode } from '../../../../src/core/tree/tree.ts';
import type { Acted } from '../../../../src/engine/search.ts';
import type { Task } from '../../../../src/kinds/thoughts/tasks/task.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { chanceTask } from '../../../support/models/thought-model.ts';
import { simulateThoughts, type ThoughtSimulation, thoughtFile } from '../../../support/searches/simulated-thoughts.ts';

const OPTIONS = { candidates: 3, beam: 1, threshold: 3, maxDepth: 2 };
const SCORES: Readonly<Record<string, number>> = { 'step.1': 8, 'step.2': 6, 'step.3': 1 };
const given = {
  strategy: 'breadth-first',
  options: OPTIONS,
  model: { score: (content: string): number => SCORES[content] ?? 7 },
};

async function ended(): Promise<ThoughtSimulation> {
  const simulation = await simulateThoughts(given);
  await simulation.run();
  return simulation;
}

const node = ({ search }: ThoughtSimulation, path: string): TreeNode => nodeAt(search.tree, path) as TreeNode;
const act = (simulation: ThoughtSimulation, call: ActionCall): Promise<Acted> =>
  simulation.clock.run(simulation.search.act(call, 'test'));
const asked = ({ model }: ThoughtSimulation, purpose: string): string[] =>
  model.log.filter((call) => call.purpose === purpose).map((call) => call.node);

describe('steering a search for a solution', () => {
  it('restores what the threshold pruned, and continues from it', async () => {
    const simulation = await ended();
    assert.equal(node(simulation, 'node_3').prunedBy, 'threshold');
    await act(simulation, { action: 'restore', node: 'node_3' });
    assert.deepEqual([node(simulation, 'node_3').status, node(simulation, 'node_3').selected], ['unexpanded', true]);
    await simulation.run();
    assert.equal(node(simulation, 'node_3').status, 'expanded');
    assert.ok(node(simulation, 'node_3/node_3_1').evaluation);
  });

  it('takes a pruned branch out of what it has come to', async () => {
    const simulation = await ended();
    const before = findingsIn(simulation.search.results, 'thoughts')?.finishedPath;
    assert.equal(before?.[0], 'node_1');
    await act(simulation, { action: 'prune', node: 'node_1' });
    assert.deepEqual(findingsIn(simulation.search.results, 'thoughts')?.finishedPath, []);
    await simulation.run();
    assert.equal(node(simulation, 'node_2').status, 'expanded', 'what was set aside is taken up');
    assert.equal(findingsIn(simulation.search.results, 'thoughts')?.finishedPath[0], 'node_2');
  });

  it('expands what a person wants: set aside, or a leaf at the depth limit', async () => {
    const simulation = await ended();
    assert.equal(node(simulation, 'node_2').selected, false);
    await act(simulation, { action: 'expand', node: 'node_2' });
    await act(simulation, { action: 'expand', node: 'node_1/node_1_1' });
    await simulation.run();
    assert.equal(node(simulation, 'node_2').status, 'expanded');
    assert.equal(node(simulation, 'node_1/node_1_1').status, 'expanded');
    assert.equal(node(simulation, 'node_1/node_1_1/node_1_1_1').depth, 3);
  });

  it('stops with a warning more than two levels below the limit', async () => {
    const simulation = await ended();
    for (const path of ['node_1/node_1_1', 'node_1/node_1_1/node_1_1_1', 'node_1/node_1_1/node_1_1_1/node_1_1_1_1']) {
      await act(simulation, { action: 'expand', node: path });
      await simulation.run();
    }
    const last = node(simulation, 'node_1/node_1_1/node_1_1_1/node_1_1_1_1');
    assert.equal(last.leafReason, 'depth-limit');
    assert.ok(simulation.events.some((event) => event.type === 'progress' && event.text.startsWith('Warning: ')));
  });

  it('adds a person’s thought, which is judged and continued like others', async () => {
    const simulation = await ended();
    await act(simulation, { action: 'add', node: '', title: 'my own idea' });
    await simulation.run();
    const added = node(simulation, 'node_4');
    assert.equal(added.evaluation?.score, 7);
    assert.equal(node(simulation, 'node_4/node_4_1').title, 'my own idea.1');
    assert.match((await simulation.store.readDocument('node_4')) ?? '', /^---\nid: node_4\n/);
  });

  it('judges what a person wants though it is solved: the results of a thought, and their own, even after a restart', async () => {
    const task: Task = {
      ...chanceTask,
      name: 'first',
      verify: () => ({ ok: true }),
      state: ({ thoughts }) => thoughts.map(({ content }) => content).join(),
      solved: ({ thoughts }) => thoughts.at(-1)?.content === 'step.1',
    };
    const files = new MemoryFiles();
    const solved = { ...given, options: { ...OPTIONS, maxDepth: 3 }, task };
    const open = (): Promise<ThoughtSimulation> =>
      simulateThoughts({ ...solved, store: createMemoryStore(thoughtFile(solved), files) });
    const first = await open();
    const outcome = await first.run();
    assert.equal(outcome.state === 'finished' && outcome.reason, 'solved');
    assert.equal(node(first, 'node_2').evaluation, undefined, 'nothing was judged');
    await act(first, { action: 'expand', node: 'node_2' });
    await act(first, { action: 'add', node: '', title: 'my own idea' });
    const second = await open();
    await second.run();
    assert.equal(node(second, 'node_2').status, 'expanded');
    for (const path of ['node_2/node_2_1', 'node_4']) assert.ok(node(second, path).evaluation, `${path} is not judged`);
    assert.equal(node(second, 'node_3').evaluation, undefined, 'nobody asked for it');
  });

  it('redoes: judges again, or asks for other thoughts', async () => {
    const simulation = await ended();
    await act(simulation, { action: 'redo', node: 'node_2' });
    assert.equal(node(simulation, 'node_2').evaluation, undefined);
    await simulation.run();
    assert.equal(node(simulation, 'node_2').evaluation?.score, 6);
    await act(simulation, { action: 'redo', node: 'node_1' });
    await simulation.run();
    assert.deepEqual(
      node(simulation, 'node_1').children.map(({ title }) => title),
      ['step.1.1', 'step.1.2', 'step.1.3', 'step.1.4', 'step.1.5', 'step.1.6'],
    );
    assert.equal(asked(simulation, 'generate').filter((path) => path === 'node_1').length, 2);
  });

  it('goes deeper when it is grown, without judging again', async () => {
    const simulation = await ended();
    const before = asked(simulation, 'evaluate').length;
    await act(simulation, { action: 'grow', maxDepth: 3 });
    assert.equal(node(simulation, 'node_1/node_1_1').status, 'unexpanded');
    await simulation.run();
    assert.equal(findingsIn(simulation.search.results, 'thoughts')?.finishedPath.length, 3);
    assert.equal(asked(simulation, 'evaluate').length, before + 1);
  });

  it('hands notes on to every later prompt', async () => {
    const prompts: string[] = [];
    const simulation = await simulateThoughts({
      ...given,
      model: {
        ...given.model,
        instead: ({ prompt }) => {
          prompts.push(prompt);
          return undefined;
        },
      },
    });
    await act(simulation, { action: 'note', text: 'No long steps.' });
    await simulation.run();
    const [first, ...others] = prompts.filter((prompt) => !prompt.startsWith('Before anybody proposes'));
    assert.ok(first?.includes('No long steps.'));
    for (const prompt of others.slice(0, 3)) assert.ok(prompt.includes('No long steps.'));
  });

  it('pauses at its budget and continues in another process to the same end', async () => {
    const files = new MemoryFiles();
    createMemoryStore(thoughtFile(given), files);
    const right = { check: () => undefined, release: async () => undefined };
    const open = (calls: number, seed: number): Promise<ThoughtSimulation> =>
      simulateThoughts({
        ...given,
        store: new SearchStore(files, right),
        seed,
        search: { limits: { guards: { calls } } },
      });
    const first = await open(3, 11);
    const paused = await first.run();
    assert.deepEqual([paused.state, paused.state === 'paused' && paused.reason], ['paused', 'budget']);
    const second = await open(100, 12);
    assert.equal((await second.run()).state, 'finished');
    const whole = await ended();
    assert.deepEqual(
      findingsIn(second.search.results, 'thoughts')?.finishedPath,
      findingsIn(whole.search.results, 'thoughts')?.finishedPath,
    );
    assert.equal(asked(first, 'generate').length + asked(second, 'generate').length, asked(whole, 'generate').length);
  });
});
