import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { findingsIn } from '../../../../src/core/search/record/search-state.ts';
import { nodeAt } from '../../../../src/core/tree/tree.ts';
import { textTree } from '../../../../src/kinds/thoughts/report/report.ts';
import { chanceTask } from '../../../support/models/thought-model.ts';
import {
  simulateThoughts,
  type ThoughtSimulation,
  type ThoughtSimulationOptions,
} from '../../../support/searches/simulated-thoughts.ts';

/** A tree as people see it, compared with the file that holds it. */
async function assertGolden(name: string, { search }: ThoughtSimulation): Promise<void> {
  const thoughts = findingsIn(search.results, 'thoughts');
  const end = (thoughts?.finishedPath.at(-1) ?? thoughts?.bestPath.at(-1)) as string;
  const lines = textTree(search.tree, search.file.prompt, nodeAt(search.tree, end));
  const calls = Object.entries(thoughts?.callsByPurpose ?? {}).map(([purpose, count]) => `${purpose} ${count}`);
  const text = `${lines.join('\n')}\n\ncalls: ${calls.join(', ')}; backtracks: ${thoughts?.backtracks}\n`;
  const file = new URL(`../../../golden/thoughts/${name}.txt`, import.meta.url);
  if (process.env['UPDATE_GOLDEN'] === '1') await writeFile(file, text);
  assert.equal(text, await readFile(file, 'utf8'));
}

/** The source's own example: 4 9 10 13, five thoughts a node, three kept, pruned below 5. */
const SOURCE_EXAMPLE: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  '': [
    ['13-9=4, 剩余4,4,10', 7.5],
    ['10+4=14, 剩余9,13,14', 6],
    ['13×4=52, 剩余9,10,52', 3],
    ['10-4=6, 剩余6,9,13', 7],
    ['9+4=13, 剩余10,13,13', 5],
  ],
  '13-9=4, 剩余4,4,10': [
    ['4+4=8, 剩余8,10', 5],
    ['4×4=16, 剩余10,16', 6],
    ['10-4=6, 剩余4,6', 8],
    ['10+4=14, 剩余4,14', 4],
    ['4-4=0, 剩余0,10', 2],
  ],
  '10-4=6, 剩余6,9,13': [
    ['9-6=3, 剩余3,13', 5.5],
    ['13-6=7, 剩余7,9', 5],
    ['13-9=4, 剩余4,6', 8],
    ['6+9=15, 剩余13,15', 4.5],
    ['13+6=19, 剩余9,19', 4],
  ],
  '10+4=14, 剩余9,13,14': [['14+9=23, 剩余13,23', 4]],
  '10-4=6, 剩余4,6': [
    ['4+6=10', 3],
    ['6-4=2', 2],
    ['6×4=24', 10],
  ],
};

function sourceExample(): Promise<ThoughtSimulation> {
  const scores = new Map(Object.values(SOURCE_EXAMPLE).flat());
  return simulateThoughts({
    strategy: 'breadth-first',
    prompt: '用 4, 9, 10, 13 得到 24',
    options: { candidates: 5, beam: 3, threshold: 5, maxDepth: 3 },
    model: {
      thoughts: (path) => (SOURCE_EXAMPLE[path.at(-1) ?? ''] ?? []).map(([content]) => ({ content })),
      score: (content) => scores.get(content) as number,
    },
  });
}

describe('the example of the system that this kind comes from', () => {
  it('goes through its first iteration, and ends on its path', async () => {
    const simulation = await sourceExample();
    const { results } = await simulation.run();
    const first = simulation.search.tree.root.children;
    assert.deepEqual(
      first.map(({ evaluation }) => evaluation?.score),
      [7.5, 6, 3, 7, 5],
    );
    assert.deepEqual(
      first.filter(({ selected }) => selected).map(({ slug }) => slug),
      ['node_1', 'node_2', 'node_4'],
    );
    assert.deepEqual([first[2]?.status, first[2]?.prunedBy], ['pruned', 'threshold']);
    assert.deepEqual([first[4]?.status, first[4]?.selected], ['unexpanded', false]);
    assert.deepEqual(findingsIn(results, 'thoughts')?.finishedPath, [
      'node_1',
      'node_1/node_1_3',
      'node_1/node_1_3/node_1_3_3',
    ]);
    assert.equal(findingsIn(results, 'thoughts')?.solved, true);
    const said = simulation.events.flatMap((event) => (event.type === 'progress' ? [event.text] : []));
    for (const text of [
      'Initialising the search tree',
      'Expanding layer 1 (5 candidates)',
      'Evaluation complete; top 3 continue to layer 2',
      'Solution found!',
    ])
      assert.ok(said.includes(text), text);
    await assertGolden('source-example', simulation);
  });

  it('gives its result in the shape of the source', async () => {
    const simulation = await sourceExample();
    await simulation.run();
    const message = (await simulation.search.message()) as {
      type: string;
      payload: { best_path: { id: string; content: string }[]; tree: { search_state: object }; stats: object };
    };
    assert.equal(message.type, 'search_complete');
    assert.deepEqual(
      message.payload.best_path.map(({ id, content }) => [id, content]),
      [
        ['root', '用 4, 9, 10, 13 得到 24'],
        ['node_1', '13-9=4, 剩余4,4,10'],
        ['node_1_3', '10-4=6, 剩余4,6'],
        ['node_1_3_3', '6×4=24'],
      ],
    );
    assert.deepEqual(Object.keys(message.payload.stats), ['total_nodes', 'total_backtracks', 'llm_calls']);
  });
});

const RECORDED: Readonly<Record<string, ThoughtSimulationOptions>> = {
  'breadth-first': {
    strategy: 'breadth-first',
    options: { candidates: 4, beam: 2, threshold: 4, maxDepth: 3, evaluation: 'comparative_voting' },
  },
  'breadth-first-adaptive': {
    strategy: 'breadth-first',
    options: { candidates: 4, beam: 2, threshold: 2, maxDepth: 3, beamFollowsScores: true, samples: 2 },
  },
  'depth-first': { strategy: 'depth-first', options: { candidates: 1, threshold: 5, maxDepth: 4 } },
  'depth-first-task': {
    strategy: 'depth-first',
    task: chanceTask,
    options: { candidates: 2, threshold: 2, maxDepth: 3 },
  },
  'best-first': { strategy: 'best-first', options: { candidates: 4, beam: 2, threshold: 2, maxDepth: 3 } },
  'best-first-task': {
    strategy: 'best-first',
    task: chanceTask,
    options: { candidates: 4, beam: 3, threshold: 1, maxDepth: 3, samples: 2 },
  },
};

/** The judge takes much for a solution, so that some is found while other thoughts are still to be judged. */
function withManySolutions({ task: _task, ...given }: ThoughtSimulationOptions): ThoughtSimulationOptions {
  const score = (content: string): number => (content.split('.').length > 2 && content.endsWith('1') ? 9.8 : 6);
  return { ...given, options: { ...given.options, maxDepth: 2 }, model: { score } };
}

describe('the strategies on recorded answers', () => {
  for (const [name, given] of Object.entries(RECORDED))
    it(`${name} grows the tree that it grew`, async () => {
      const simulation = await simulateThoughts(given);
      assert.equal((await simulation.run()).state, 'finished');
      await assertGolden(name, simulation);
    });

  it('are the same however many slots there are and however long answers take', async () => {
    const byParent = Object.values(RECORDED).map((given) => ({
      ...given,
      options: { ...given.options, judge: 'parent' as const },
    }));
    for (const given of [...Object.values(RECORDED), ...byParent, ...byParent.map(withManySolutions)]) {
      const shapes = new Set<string>();
      for (const [concurrency, ms] of [
        [1, 0],
        [4, 100],
        [16, 7],
      ] as const) {
        const latencyMs = ({ prompt }: { prompt: string }): number => (prompt.length * ms) % 331;
        const simulation = await simulateThoughts({
          ...given,
          search: { concurrency },
          model: { ...given.model, latencyMs },
        });
        await simulation.run();
        shapes.add(textTree(simulation.search.tree, '', undefined).join('\n'));
      }
      assert.equal(shapes.size, 1, JSON.stringify(given.options));
    }
  });
});
