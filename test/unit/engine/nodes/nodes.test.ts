import assert from 'node:assert/strict';
import * as z from 'zod';
import type { JournalEvent } from '../../../../src/core/search/events.ts';
import { nodeAt, pathOf, Tree, type TreeNode } from '../../../../src/core/tree/tree.ts';
import type { NodePatch } from '../../../../src/core/tree/tree-node.ts';
import { History } from '../../../../src/engine/history.ts';
import { CommitGate, Nodes } from '../../../../src/engine/nodes.ts';
import { openTree } from '../../../../src/engine-parts/opening/open-tree.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { QUESTION } from '../../../support/searches/simulated-search.ts';
import { seededRandom, VirtualClock } from '../../../support/virtual-clock.ts';

interface Opened {
  readonly files: MemoryFiles;
  readonly tree: Tree;
  readonly nodes: Nodes;
  readonly events: JournalEvent[];
  /** What was told, by where: a file that was written, an event, the strategy. */
  readonly order: string[];
  readonly at: (path: string) => TreeNode;
  readonly disk: (path: string) => Record<string, unknown>;
}

function opened(): Opened {
  const files = new MemoryFiles();
  const store = createMemoryStore(QUESTION, files);
  const tree = new Tree(QUESTION.title);
  const order: string[] = [];
  const events: JournalEvent[] = [];
  const writeAtomic = files.writeAtomic.bind(files);
  files.writeAtomic = async (path, text, options) => {
    await writeAtomic(path, text, options);
    order.push(path);
  };
  const history = new History(store, new VirtualClock(), (error) => assert.fail(String(error)));
  history.listen((event) => {
    order.push(event.type);
    events.push(event);
  });
  const changed = (): unknown => order.push('strategy');
  const own = z.object({ hours: z.number() });
  const nodes = new Nodes({ tree, store, history, gate: new CommitGate(), random: seededRandom(1), changed, own });
  return {
    files,
    tree,
    nodes,
    events,
    order,
    at: (path) => nodeAt(tree, path) as TreeNode,
    disk: (path) => JSON.parse(files.readNow(`${path}/node.json`) ?? '{}') as Record<string, unknown>,
  };
}

async function withTopics(): Promise<Opened> {
  const made = opened();
  const children = [
    { slug: 'one', title: 'One', fields: { evaluation: { score: 7 } } },
    { slug: 'two', title: 'Two' },
  ];
  await made.nodes.add(made.tree.root, children, 'list-last');
  return made;
}

const last = ({ events }: Opened): object => {
  const { seq: _seq, time: _time, ...event } = events.at(-1) as JournalEvent;
  return event;
};

describe('a field that could not be read again', () => {
  it('is refused before anything is written', async () => {
    const made = await withTopics();
    const before = made.events.length;
    const wrong: [NodePatch, RegExp][] = [
      [{ summary: 'x'.repeat(2001) }, /"summary"/],
      [{ links: [{ type: '', to: 'id' }] }, /"links\.0\.type"/],
      [{ own: { hours: 'many' } }, /"hours"/],
    ];
    for (const [patch, why] of wrong)
      await assert.rejects(made.nodes.change(made.at('one'), patch), { reason: 'bad-answer', message: why });
    const child = { slug: 'three', title: 'Three', fields: { sameAs: 'x'.repeat(1001) } };
    await assert.rejects(made.nodes.add(made.tree.root, [child], 'list-last'), { reason: 'bad-answer' });
    assert.equal(made.events.length, before);
    assert.deepEqual(Object.keys(made.disk('three')), []);
    await made.nodes.change(made.at('one'), { own: { hours: 2 } });
    assert.deepEqual(made.disk('one')['own'], { hours: 2 });
  });
});

describe('a change of a node', () => {
  it('is on disk first, then in the tree, then in the journal, then the strategy’s', async () => {
    const made = await withTopics();
    const node = made.at('one');
    made.order.length = 0;
    await made.nodes.change(node, { status: 'in-progress', sessionId: 's1' });
    assert.deepEqual(made.order, ['one/node.json', 'node-status', 'strategy']);
    assert.equal(node.status, 'in-progress');
    assert.equal(made.disk('one')['sessionId'], 's1');
    const told = { type: 'node-status', node: 'one', status: 'in-progress' };
    assert.deepEqual(last(made), { ...told, was: 'unexpanded', sessionId: 's1' });
    await made.nodes.change(node, { summary: 'Slow.' });
    assert.deepEqual(last(made), { ...told, summary: 'Slow.' }, 'its status is no other one');
  });

  it('takes away what it is told to, and the event names it', async () => {
    const made = await withTopics();
    const node = made.at('one');
    await made.nodes.change(node, { status: 'failed', failure: { reason: 'refused', message: 'No.' } });
    await made.nodes.change(node, { status: 'unexpanded', failure: null, evaluation: undefined }, { by: 'a person' });
    assert.equal(node.failure, undefined);
    assert.equal(node.evaluation, undefined);
    assert.deepEqual(Object.keys(made.disk('one')), ['id', 'title', 'slug', 'status']);
    const gone = ['failure', 'evaluation'];
    const told = { type: 'node-status', node: 'one', status: 'unexpanded', was: 'failed' };
    assert.deepEqual(last(made), { ...told, gone, by: 'a person' });
  });

  it('is in memory nowhere where the disk refused it', async () => {
    const made = await withTopics();
    const told = made.events.length;
    made.files.writeAtomic = () => Promise.reject(new Error('full'));
    await assert.rejects(made.nodes.change(made.at('one'), { status: 'expanded' }), /full/);
    assert.equal(made.at('one').status, 'unexpanded');
    assert.equal(made.events.length, told);
  });

  it('keeps on disk what a pruned branch is restored with', async () => {
    const made = await withTopics();
    const node = made.at('one');
    await made.nodes.change(node, { status: 'leaf', leafReason: 'depth-limit' });
    assert.equal(made.files.readNow('one/children.json')?.trim(), '[]');
    await made.nodes.change(node, { status: 'pruned', prunedBy: 'user' });
    assert.equal(node.leafReason, undefined);
    assert.equal(node.listed, true);
    assert.equal(made.disk('one')['leafReason'], 'depth-limit');
  });
});

describe('children that are added', () => {
  it('are on disk as in the tree, after or before their list', async () => {
    const made = await withTopics();
    assert.deepEqual(made.order.slice(0, 3), ['one/node.json', 'two/node.json', 'children.json']);
    made.order.length = 0;
    await made.nodes.add(made.at('one'), [{ slug: 'a', title: 'A', document: 'Text.' }], 'list-first');
    assert.deepEqual(made.order.slice(0, 3), ['one/children.json', 'one/a/node.json', 'one/a/document.md']);
    const reopened = await openTree(createMemoryStore(QUESTION, made.files), QUESTION.title, 'reader');
    assert.deepEqual(reopened.root.children.map(pathOf), ['one', 'two']);
    assert.deepEqual(nodeAt(reopened, 'one')?.children.map(pathOf), ['one/a']);
    assert.equal(nodeAt(reopened, 'one')?.evaluation?.score, 7);
  });

  it('leave alone the document of a node that a person made meanwhile', async () => {
    const { files, tree, nodes } = opened();
    files.put('mine/node.json', '{ "id": "mine", "title": "Mine" }\n');
    files.put('mine/document.md', 'My own words.\n');
    await nodes.add(tree.root, [{ slug: 'mine', title: 'Mine', document: 'The model’s.\n' }], 'list-last');
    assert.equal(files.readNow('mine/document.md'), 'My own words.\n');
  });

  it('join the existing ones, which get what they lack', async () => {
    const made = await withTopics();
    const fields = { evaluation: { score: 3 } };
    const children = [
      { slug: 'three', title: 'Three' },
      { slug: 'two', title: 'Two', fields },
    ];
    const nodes = await made.nodes.add(made.tree.root, children, 'list-last');
    assert.deepEqual(nodes.map(pathOf), ['three', 'two']);
    assert.deepEqual(made.tree.root.children.map(pathOf), ['one', 'three', 'two']);
    assert.equal(made.disk('two')['evaluation'] !== undefined, true);
    assert.equal(made.at('two').evaluation?.score, 3);
  });
});

describe('a commit', () => {
  it('is dropped where a person removed or pruned the node meanwhile, and nothing comes back', async () => {
    const made = await withTopics();
    const one = made.at('one');
    made.files.drop('one');
    made.files.put('two/node.json', JSON.stringify({ title: 'Two', status: 'pruned' }));
    for (const node of [one, made.at('two')])
      assert.equal(await made.nodes.commit(node, undefined, () => assert.fail('was not dropped')), 'gone');
    assert.equal(made.at('one'), undefined);
    assert.equal(made.files.existsNow('one'), false);
    assert.equal(made.at('two').status, 'pruned');
    const said = made.events.flatMap((event) => (event.type === 'reconciled' ? [event.what] : []));
    assert.ok(said.some((what) => what.startsWith('removed by hand; the result of')));
    assert.ok(said.some((what) => what.startsWith('pruned by hand; the result of')));
  });

  it('gets the file as it is now', async () => {
    const made = await withTopics();
    made.files.put('two/node.json', JSON.stringify({ title: 'Two', status: 'leaf', leafReason: 'duplicate' }));
    assert.equal(await made.nodes.commit(made.at('two'), undefined, async (file) => file.leafReason), 'duplicate');
  });
});

describe('a look at the disk', () => {
  it('does not mistake the search’s own writes for a person’s', async () => {
    const made = await withTopics();
    const writeAtomic = made.files.writeAtomic;
    const looks: Promise<void>[] = [];
    made.files.writeAtomic = async (path, text, options) => {
      if (path === 'one/node.json') looks.push(made.nodes.look(made.at('one')));
      await writeAtomic(path, text, options);
      if (path === 'one/node.json') looks.push(made.nodes.look(made.at('one')));
    };
    for (const title of ['Uno', 'Un', 'Eins']) await made.nodes.change(made.at('one'), { title });
    await Promise.all(looks);
    assert.equal(looks.length, 6);
    assert.equal(made.at('one').title, 'Eins');
    assert.deepEqual(
      made.events.filter(({ type }) => type === 'reconciled'),
      [],
    );
  });
});
