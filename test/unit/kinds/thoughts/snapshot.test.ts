import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Store } from '../../../../src/core/ports/store.ts';
import type { SearchFile } from '../../../../src/core/search/search-file.ts';
import { writeDocument } from '../../../../src/core/text/document.ts';
import type { NodeFile } from '../../../../src/core/tree/node-file.ts';
import { pathOf, type Tree, walk } from '../../../../src/core/tree/tree.ts';
import { textTree } from '../../../../src/kinds/thoughts/report/report.ts';
import { roundsOf, thoughtSlug, triesOf } from '../../../../src/kinds/thoughts/thought-node.ts';
import { effort } from '../../../support/effort.ts';
import { createMemoryStore } from '../../../support/memory-store.ts';
import { chanceTask } from '../../../support/models/thought-model.ts';
import { simulateThoughts } from '../../../support/searches/simulated-thoughts.ts';
import { exported, imported } from '../../../support/searches/thought-snapshots.ts';

const FIELDS = [
  ...([
    'slug',
    'depth',
    'index',
    'title',
    'status',
    'listed',
    'document',
    'summary',
    'evaluation',
    'leafReason',
  ] as const),
  ...(['prunedBy', 'failure', 'model', 'selected', 'sameAs', 'citations', 'unscored', 'state'] as const),
] as const;

/** All that follows from the files of a tree for its nodes; ids in memory and of conversations differ. */
function fieldsOf(tree: Tree): object[] {
  return [...walk(tree.root)].map((node) => {
    const fields = Object.fromEntries(FIELDS.map((name) => [name, node[name]]));
    return JSON.parse(
      JSON.stringify({ path: pathOf(node), ...fields, begun: roundsOf(node).begun, tries: triesOf(node) }),
    ) as object;
  });
}

async function assertSameAgain(store: Store): Promise<void> {
  const first = await exported(store);
  const again = await exported(await imported(JSON.parse(first.text)));
  assert.deepEqual(fieldsOf(again.tree), fieldsOf(first.tree));
  assert.equal(again.text, first.text);
}

const SEARCH: SearchFile = {
  version: 1,
  kind: 'thoughts',
  title: 'Reach the end',
  prompt: 'Reach the end.',
  options: {},
};

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const nodeFields = fc.record(
  {
    status: fc.constantFrom('unexpanded', 'in-progress', 'expanded', 'leaf', 'pruned', 'failed'),
    leafReason: fc.constantFrom('model', 'depth-limit', 'duplicate', 'solved'),
    prunedBy: fc.constantFrom('user', 'threshold', 'evaluator', 'constraint', 'verifier'),
    failure: fc.record({ reason: fc.constant('GENERATION_FAILED'), message: text }),
    selected: fc.boolean(),
    unscored: fc.boolean(),
    sameAs: fc.constantFrom('node_1', 'node_1/node_1_1', 'gone'),
    state: text,
    why: text,
    note: text,
    model: fc.constant('openai/x'),
    evaluation: fc.record(
      {
        score: fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
        confidence: fc.constantFrom(0, 0.5, 1),
        reasoning: text,
        votes: fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 3 }),
        dimension_scores: fc.dictionary(fc.constantFrom('progress', 'taste'), fc.integer({ min: 0, max: 10 })),
        low_confidence: fc.boolean(),
        solution: fc.boolean(),
      },
      { requiredKeys: ['score'] },
    ),
  },
  { requiredKeys: ['status'] },
);
const anyNode = fc.record(
  {
    fields: nodeFields,
    title: text,
    body: fc.array(fc.constantFrom('---', '\n', '  ', 'a: b', '```', '<!-- -->', '4 + 4 = 8', '剩余', '\r\n'), {
      maxLength: 8,
    }),
    action: text,
    metadata: fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
    others: fc.dictionary(fc.constantFrom('summary', 'tone', '10', 'x'), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
    list: fc.constantFrom('none', 'empty'),
    tries: fc.integer({ min: 1, max: 5 }),
    name: fc.constantFrom('idea', 'root', 'node_1_1', 'node_9', 'straße', 'a-b'),
  },
  { requiredKeys: ['fields', 'body'] },
);
type AnyNode = typeof anyNode extends fc.Arbitrary<infer T> ? T : never;

/** Writes random nodes, each below an existing one. */
async function planted(nodes: readonly (readonly [AnyNode, number])[], isListed: boolean): Promise<Store> {
  const store = createMemoryStore(SEARCH);
  const below = new Map<string, { title: string; slug: string }[]>([['', []]]);
  const paths = [''];
  let seq = 0;
  for (const [node, at] of nodes) {
    const parent = paths[at % paths.length] as string;
    const siblings = below.get(parent) as { title: string; slug: string }[];
    const wish = node.name ?? thoughtSlug(parent, siblings.length + 1);
    const slug = siblings.some((each) => each.slug === wish) ? `${wish}-${siblings.length}` : wish;
    const path = parent === '' ? slug : `${parent}/${slug}`;
    const title = node.title?.trim() || 'A thought';
    await store.writeNode(path, { title, slug, ...node.fields } as Partial<NodeFile>);
    const { action, metadata, others } = node;
    const front = {
      id: slug,
      depth: 1,
      ...(action && { action_type: action }),
      ...(metadata && { metadata }),
      ...others,
    };
    await store.writeDocument(path, writeDocument(front, node.body.join('\n')));
    if (node.list === 'empty') await store.writeChildren(path, []);
    siblings.push({ title, slug });
    below.set(path, []);
    paths.push(path);
    if (node.tries === undefined) continue;
    const time = '2026-01-01T00:00:00.000Z';
    await store.append({ seq: ++seq, time, type: 'generated', node: path, round: node.tries, found: 0 });
  }
  for (const [path, list] of below)
    if (list.length > 0 || (path === '' && isListed)) await store.writeChildren(path, list);
  return store;
}

describe('a tree of thoughts as a snapshot', () => {
  it('is the same tree, and the same snapshot, once it is read back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyNode, fc.nat()), { maxLength: 12 }),
        fc.boolean(),
        async (nodes, isListed) => assertSameAgain(await planted(nodes, isListed)),
      ),
      { numRuns: effort(300) },
    );
  });

  for (const strategy of ['breadth-first', 'depth-first', 'best-first'])
    it(`continues after that as it would have: ${strategy}`, async () => {
      const options = { candidates: 3, beam: 2, size: 'small' as const };
      const given = { strategy, task: chanceTask, options };
      const whole = await simulateThoughts(given);
      await whole.run();
      for (const calls of [1, 3, 6, 9]) {
        const begun = await simulateThoughts({ ...given, search: { limits: { guards: { calls } } } });
        await begun.run();
        const { text: snapshot } = await exported(begun.store);
        const store = await imported(JSON.parse(snapshot));
        const copy = await simulateThoughts({ ...given, store });
        await copy.run();
        assert.deepEqual(textTree(copy.search.tree, '', undefined), textTree(whole.search.tree, '', undefined));
      }
    });

  it('exports nothing but searches for a solution', async () => {
    const store = createMemoryStore({ ...SEARCH, kind: 'research' });
    await assert.rejects(exported(store), /kind "research".*plain Markdown/);
  });
});
