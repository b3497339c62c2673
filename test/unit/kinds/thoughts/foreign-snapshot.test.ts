import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../../src/core/ports/model.ts';
import { textTree } from '../../../../src/kinds/thoughts/report/report.ts';
import { readSnapshot } from '../../../../src/kinds/thoughts/snapshot/read-snapshot.ts';
import { simulateThoughts } from '../../../support/searches/simulated-thoughts.ts';
import { thoughtData } from '../../../support/searches/thought-data.ts';
import { exported, imported } from '../../../support/searches/thought-snapshots.ts';

/** A snapshot as the source's own example writes it: without `action_type`, `metadata` and our fields. */
function fromSource(changes: Record<string, object> = {}): { nodes: Record<string, Record<string, unknown>> } {
  const node = (id: string, depth: number, score: number | undefined, status: string, children: string[] = []) => ({
    id,
    parent_id: depth === 0 ? null : depth === 1 ? 'root' : id.slice(0, -2),
    children_ids: children,
    depth,
    content: id === 'root' ? '初始: 4, 9, 10, 13' : `thought ${id}`,
    evaluation:
      score === undefined ? null : { score, confidence: 0.9, reasoning: 'so', dimension_scores: { progress: 7 } },
    status,
  });
  const nodes = [
    node('root', 0, undefined, 'expanded', ['node_1', 'node_2', 'node_3', 'node_4']),
    node('node_1', 1, 7.5, 'expanded', ['node_1_1']),
    node('node_2', 1, 6, 'pending'),
    node('node_3', 1, 3, 'pruned'),
    node('node_4', 1, 5, 'pending'),
    node('node_1_1', 2, 10, 'terminal'),
  ];
  return {
    task_id: 'tot-20260102-030405-abcdef',
    problem: '用 4, 9, 10, 13 得到 24',
    task_type: 'math_reasoning',
    search_config: { strategy: 'BFS', max_depth: 3, branching_factor: 3, pruning_threshold: 5 },
    nodes: Object.fromEntries(nodes.map((each) => [each.id, { ...each, ...changes[each.id] }])),
    root_id: 'root',
    search_state: { current_depth: 2, frontier: ['node_2'], best_path: ['root', 'node_1', 'node_1_1'] },
  } as never;
}

describe('a snapshot that the source wrote', () => {
  it('becomes a search: its statuses, what was kept, and its settings', async () => {
    const store = await imported(fromSource());
    const { tree } = await exported(store);
    const lines = textTree(tree, '4 9 10 13', undefined);
    assert.deepEqual(lines, [
      'root [4 9 10 13]',
      '├── node_1 [thought node_1] score:7.5',
      '│   └── node_1_1 [thought node_1_1] score:10.0 ✓✓✓',
      '├── node_2 [thought node_2] score:6.0',
      '├── node_3 [thought node_3] score:3.0 [PRUNED] by threshold',
      '└── node_4 [thought node_4] score:5.0 (set aside)',
    ]);
    assert.deepEqual(tree.root.children[0]?.evaluation?.dimension_scores, { progress: 7 });
    const { strategy, options, createdAt } = await store.readSearch();
    assert.deepEqual(
      [strategy, options, createdAt],
      [
        'breadth-first',
        {
          maxDepth: 3,
          preset: 'math_reasoning',
          beam: 3,
          threshold: 5,
          taskId: 'tot-20260102-030405-abcdef',
          start: '初始: 4, 9, 10, 13',
        },
        '2026-01-02T03:04:05.000Z',
      ],
    );
  });

  it('keeps the id of its task and what its root says, through any number of exports', async () => {
    const said = fromSource();
    let store = await imported(said);
    for (let times = 0; times < 2; times++) {
      const { text } = await exported(store);
      const { task_id, nodes } = JSON.parse(text) as { task_id: string; nodes: Record<string, { content: string }> };
      assert.equal(task_id, 'tot-20260102-030405-abcdef');
      assert.equal(nodes['root']?.content, '初始: 4, 9, 10, 13');
      store = await imported(JSON.parse(text));
    }
    const begun: string[] = [];
    const instead = (request: ModelRequest): undefined => {
      const data = thoughtData(request.data);
      if (data.purpose === 'generate') begun.push(data.message.payload.parent_node.content);
    };
    const fresh = await imported({ ...said, nodes: { root: { content: '初始: 4, 9, 10, 13' } } });
    await (await simulateThoughts({ store: fresh, model: { instead } })).run();
    assert.equal(begun[0], '初始: 4, 9, 10, 13');
  });

  it('says the problem alone where its root does', async () => {
    const store = await imported(fromSource({ root: { content: '用 4, 9, 10, 13 得到 24' } }));
    assert.equal((await store.readSearch()).options['start'], undefined);
  });

  it('may be a beginning: the message that begins a search, with the problem taken apart', async () => {
    const { task_id, problem, task_type, search_config } = fromSource() as unknown as Record<string, unknown>;
    const plan = {
      thought_granularity: 'single_equation',
      intermediate_steps: ['add'],
      depth_estimate: 3,
      constraints: ['each number once'],
      success_criteria: '24',
    };
    const bare = await imported({ type: 'initialize_search', payload: { problem } });
    assert.equal((await bare.readSearch()).prompt, problem);
    for (const decomposition_result of [plan, { type: 'decomposition_result', payload: plan }]) {
      const payload = { task_id, problem, task_type, search_config, decomposition_result };
      const store = await imported({ type: 'initialize_search', payload });
      const { prompt, strategy, options } = await store.readSearch();
      assert.deepEqual([prompt, strategy, options.maxDepth], [problem, 'breadth-first', 3]);
      assert.deepEqual(await store.readDecomposition(), plan);
      const simulation = await simulateThoughts({ store });
      await simulation.run();
      assert.deepEqual(
        simulation.model.log.filter(({ purpose }) => purpose === 'decompose'),
        [],
      );
      assert.ok(simulation.search.tree.size > 0);
    }
  });

  it('is found in the message that ends a search', () => {
    const { nodes } = readSnapshot({ type: 'search_complete', payload: { tree: fromSource() } });
    assert.equal(nodes.size, 6);
  });

  it('needs little: parents from lists, the root from what is left, the problem from the root', async () => {
    const store = await imported({ nodes: { a: { content: 'Why?', children_ids: ['b'] }, b: { content: 'So.' } } });
    const { tree } = await exported(store);
    assert.equal((await store.readSearch()).prompt, 'Why?');
    assert.deepEqual(
      tree.root.children.map(({ slug, status }) => [slug, status]),
      [['b', 'unexpanded']],
    );
  });

  it('gets folders with safe names, whatever its ids say', async () => {
    const ids = [
      '../../etc',
      'CON',
      'a b',
      'A B',
      '__proto__',
      'prompts',
      '.search',
      'x'.repeat(900),
      '-rf',
      'node.json',
    ];
    const nodes: Record<string, unknown> = JSON.parse('{}');
    nodes['root'] = { content: 'Why?', children_ids: ids };
    for (const id of ids)
      Object.defineProperty(nodes, id, { value: { content: id }, enumerable: true, configurable: true });
    const { tree } = await exported(await imported({ nodes, root_id: 'root' }));
    assert.deepEqual(
      tree.root.children.map(({ slug }) => slug),
      ['etc', 'con-2', 'a-b', 'a-b-2', '__proto__', 'prompts-2', 'search', 'x'.repeat(60), 'rf', 'node-json'],
    );
  });

  const deep = Object.fromEntries(
    Array.from({ length: 120 }, (_, n) => [`n${n}`, { content: 'x', parent_id: n === 0 ? null : `n${n - 1}` }]),
  );
  for (const [what, snapshot, words] of [
    ['no object', 7, /not a tree of thoughts/],
    ['no nodes', { nodes: {} }, /no node is the root/],
    ['a list of nodes', { nodes: [] }, /an object with the nodes by their ids/],
    [
      'a cycle',
      fromSource({
        node_1: { parent_id: 'node_1_1' },
        node_1_1: { children_ids: ['node_1'] },
        root: { children_ids: [] },
      }),
      /"node_1(_1)?" is below itself/,
    ],
    [
      'an orphan',
      fromSource({ node_4: { parent_id: 'node_9' }, root: { children_ids: ['node_1'] } }),
      /parent of "node_4", "node_9", is not among/,
    ],
    [
      'two parents',
      fromSource({ node_4: { parent_id: 'node_1' } }),
      /"node_4" says that its parent is "node_1", but "root" lists it/,
    ],
    ['two lists', fromSource({ node_2: { children_ids: ['node_1_1'] } }), /both "node_1" and "node_2" list "node_1_1"/],
    [
      'a child that is not there',
      fromSource({ node_2: { children_ids: ['node_2_1'] } }),
      /"node_2" lists "node_2_1", which is not among/,
    ],
    ['a wrong depth', fromSource({ node_1_1: { depth: 3 } }), /"node_1_1" says that its depth is 3, but it is at 2/],
    ['another id', fromSource({ node_2: { id: 'node_3' } }), /the node under "node_2" has the id "node_3"/],
    [
      'two roots',
      fromSource({ node_2: { parent_id: null }, root: { children_ids: [] } }),
      /"node_2" has no parent, and is not the root/,
    ],
    ['a score of eleven', fromSource({ node_2: { evaluation: { score: 11 } } }), /node "node_2", .*evaluation\.score/],
    ['no text', fromSource({ node_2: { content: ' ' } }), /node "node_2", .*empty/],
    ['another status', fromSource({ node_2: { status: 'open' } }), /node "node_2", .*status/],
    [
      'metadata that is too long',
      fromSource({ node_2: { metadata: { x: 'y'.repeat(20_000) } } }),
      /"node_2" cannot be kept as a document. .*too long/,
    ],
    ['no root', { ...fromSource(), root_id: 'r' }, /root "r" is not among/],
    ['another strategy', { ...fromSource(), search_config: { strategy: 'MCTS' } }, /strategy is "mcts"/],
    ['an endless problem', { ...fromSource(), problem: 'x'.repeat(100_001) }, /1 to 100,000/],
    ['a shaft', { nodes: deep }, /deeper than 100/],
  ] as const)
    it(`is refused with words: ${what}`, async () => {
      await assert.rejects(imported(snapshot), words);
    });
});
