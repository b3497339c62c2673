import assert from 'node:assert/strict';
import { randomUUID as newId } from 'node:crypto';
import type { ActionCall } from '../../../../src/core/actions/action-call.ts';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { pathOf, type Tree, type TreeNode, walk } from '../../../../src/core/tree/tree.ts';
import { holdTree } from '../../../../src/engine-parts/opening/open-tree.ts';
import { effort, forEverySeed } from '../../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { QUESTION, type Simulation, simulate } from '../../../support/searches/simulated-search.ts';
import { seededRandom } from '../../../support/virtual-clock.ts';

const SEEDS = 500;
const tree = { fanout: (_path: string, depth: number) => [4, 3, 2][depth] ?? 0, documentWords: 5 };
const latencyMs = ({ node }: { node: string }) => 300 + (node.length % 9) * 70;
const limits = { size: 'small' as const };

function describeTree(of: Tree): unknown[] {
  return [...walk(of.root)].map((node) => {
    const { status, title, leafReason, prunedBy, summary } = node;
    return { path: pathOf(node), status, title, leafReason, prunedBy, summary, score: node.evaluation?.score };
  });
}

function pick<T>(random: { next: () => number }, list: readonly T[]): T {
  return list[Math.floor(random.next() * list.length)] as T;
}

function randomAction(random: { next: () => number }, of: Tree): ActionCall {
  const nodes = [...walk(of.root)].filter((node: TreeNode) => node.parent);
  const node = nodes.length > 0 ? pathOf(pick(random, nodes)) : 'nowhere';
  const actions: ActionCall[] = [
    { action: 'prune', node },
    { action: 'restore', node },
    { action: 'expand', node },
    { action: 'retry' },
    { action: 'redo', node },
    { action: 'add', node, title: `Added ${Math.floor(random.next() * 1000)}` },
    { action: 'note', node, text: 'Mind the cache.' },
    { action: 'note', text: 'Be brief.' },
    { action: 'grow', size: 'medium' },
    { action: 'grow', maxDepth: 5 },
  ];
  return pick(random, actions);
}

/** Steers at random events; returns what was carried out. */
function steerAtRandom(simulation: Simulation, random: { next: () => number }): Promise<ActionCall[]>[] {
  const done: Promise<ActionCall[]>[] = [];
  simulation.search.listen(({ type }) => {
    if (type === 'steered' || type === 'budget-changed' || random.next() > 0.06) return;
    const action = randomAction(random, simulation.search.tree);
    const work = simulation.search.act(action, 'test').then(
      () => [action],
      (error: unknown) => {
        assert.ok(isThoughtTreeError(error, 'bad-input', 'edited'), String(error));
        return [];
      },
    );
    done.push(work);
  });
  return done;
}

describe('steering at random moments', () => {
  it(`loses nothing, expands nothing twice, journals everything, and survives a reload (${effort(SEEDS)} seeds)`, async () => {
    const carriedOut = new Map<string, number>();
    await forEverySeed(SEEDS, async (seed) => {
      const files = new MemoryFiles();
      const random = seededRandom(seed);
      const simulation = await simulate({
        tree: { ...tree, seed },
        model: { latencyMs },
        store: createMemoryStore(QUESTION, files),
        search: { limits, concurrency: 8 },
        seed,
      });
      const begun = new Set<string>();
      const begunTwice: string[] = [];
      simulation.search.listen((event) => {
        if (event.type !== 'node-status' || event.was === undefined) return;
        if (event.status !== 'in-progress') return void begun.delete(event.node);
        if (begun.has(event.node)) begunTwice.push(event.node);
        begun.add(event.node);
      });
      const steered = steerAtRandom(simulation, random);
      const outcome = await simulation.run();
      const actions = (await simulation.clock.run(Promise.all(steered))).flat();
      const where = `seed ${seed}, ${outcome.state}`;
      assert.deepEqual(begunTwice, [], where);
      assert.equal(simulation.search.tree.counts['in-progress'], 0, where);
      for (const { action } of actions) carriedOut.set(action, (carriedOut.get(action) ?? 0) + 1);
      const journal = await simulation.store.readJournal();
      const journaled = journal.filter(({ type }) => type === 'steered');
      assert.equal(journaled.length, actions.length, where);
      const reloaded = await holdTree({ store: createMemoryStore(QUESTION, files), newId }, QUESTION.title);
      assert.deepEqual(describeTree(reloaded), describeTree(simulation.search.tree), where);
      assert.equal(reloaded.finished, simulation.search.tree.finished, where);
      await assertNothingLost(simulation, where);
    });
    for (const action of ['prune', 'restore', 'expand', 'retry', 'redo', 'add', 'note', 'grow'])
      assert.ok(
        (carriedOut.get(action) ?? 0) > (effort(50) === 50 ? 20 : 0),
        `${action} was carried out ${carriedOut.get(action)} times`,
      );
  });
});

/** Every node that was ever added still has its folder, and every finished one its document. */
async function assertNothingLost({ store, search, events }: Simulation, where: string): Promise<void> {
  for (const event of events) {
    if (event.type !== 'node-added') continue;
    for (const { slug } of event.children) {
      const path = event.node === '' ? slug : `${event.node}/${slug}`;
      assert.ok(await store.readNodeFile(path), `${where}: ${path} is lost`);
    }
  }
  for (const node of walk(search.tree.root))
    if (node.parent && (node.status === 'expanded' || node.status === 'leaf'))
      assert.ok(await store.readDocument(pathOf(node)), `${where}: the document of ${pathOf(node)} is lost`);
}
