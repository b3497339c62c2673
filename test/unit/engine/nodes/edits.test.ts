import assert from 'node:assert/strict';
import { nodeAt } from '../../../../src/core/tree/tree.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import { QUESTION, type Simulation, simulate } from '../../../support/searches/simulated-search.ts';

const tree = { fanout: (_path: string, depth: number) => [2, 2, 2][depth] ?? 0, documentWords: 5 };
const search = { limits: { size: 'all' as const }, concurrency: 1 };

/** A search over files that a person changes at the moment the model is asked for something. */
async function editedAt(
  when: { purpose: string; node: (simulation: Simulation) => string },
  edit: (files: MemoryFiles, node: string) => void,
): Promise<Simulation & { files: MemoryFiles; node: string }> {
  const files = new MemoryFiles();
  const found = { node: '' };
  const simulation = await simulate({
    tree,
    store: createMemoryStore(QUESTION, files),
    model: {
      latencyMs: ({ purpose, node }) => {
        if (found.node === '' && purpose === when.purpose && node !== '' && node === when.node(simulation)) {
          found.node = node;
          edit(files, node);
        }
        return 100;
      },
    },
    search,
  });
  await simulation.run();
  assert.notEqual(found.node, '', 'the moment came');
  return { ...simulation, files, node: found.node };
}

const firstTopic = ({ search: { tree: of } }: Simulation): string => of.root.children[0]?.slug ?? '';

describe('a person who edits while the search runs', () => {
  it('keeps an edited document, and the children hear of it in one extra turn', async () => {
    const mine = '---\ntitle: Mine\nsummary: My own words.\n---\nI know better.\n';
    const when = { purpose: 'children', node: firstTopic };
    const simulation = await editedAt(when, (files, node) => files.put(`${node}/document.md`, mine));
    assert.equal(await simulation.store.readDocument(simulation.node), mine);
    const topic = nodeAt(simulation.search.tree, simulation.node);
    for (const child of topic?.children ?? []) {
      const { turns = [] } = (await simulation.store.readConversation(child.sessionId ?? '')) ?? {};
      const edited = turns.filter(({ purpose, role }) => purpose === 'edited' && role === 'user');
      assert.equal(edited.length, 1);
      assert.match(edited[0]?.text ?? '', /I know better\./);
    }
  });

  it('takes the title and the order of children from disk', async () => {
    const when = { purpose: 'children', node: firstTopic };
    const simulation = await editedAt(when, (files) => {
      const list = JSON.parse(files.readNow('children.json') ?? '[]') as { slug: string }[];
      files.put('children.json', JSON.stringify(list.reverse()));
      const second = list[0]?.slug;
      files.put(`${second}/node.json`, JSON.stringify({ title: 'A better title', status: 'unexpanded', mine: 1 }));
    });
    const { children } = simulation.search.tree.root;
    const renamed = children.find(({ title }) => title === 'A better title');
    assert.equal(renamed?.status, 'expanded');
    const file = await simulation.store.readNodeFile(renamed?.slug ?? '');
    assert.equal(file?.['mine'], 1, 'what others added is kept');
    await simulation.search.reconcile('');
    assert.equal(simulation.search.tree.root.children[0]?.title, 'A better title');
  });

  it('drops the answer for a folder that is gone, and says so', async () => {
    const simulation = await editedAt({ purpose: 'document', node: firstTopic }, (files, node) => files.drop(node));
    assert.equal(nodeAt(simulation.search.tree, simulation.node), undefined);
    const paths = Object.keys(await snapshotOf(simulation.files));
    assert.equal(
      paths.some((path) => path.startsWith(`${simulation.node}/`)),
      false,
    );
    const said = simulation.events.find((event) => event.type === 'reconciled' && event.node === simulation.node);
    assert.ok(said);
    await simulation.search.reconcile('');
    assert.equal(simulation.search.tree.root.children.length, 1);
  });

  it('leaves pruned what a person pruned by hand', async () => {
    const simulation = await editedAt({ purpose: 'document', node: firstTopic }, (of, node) =>
      of.put(`${node}/node.json`, JSON.stringify({ title: 'T', status: 'pruned' })),
    );
    assert.equal(nodeAt(simulation.search.tree, simulation.node)?.status, 'pruned');
    assert.equal((await simulation.store.readNodeFile(simulation.node))?.status, 'pruned');
    assert.equal(simulation.search.results.open, 0);
  });

  it('may write a document before the model does: it is taken as it is', async () => {
    const mine = 'Just my text, without front matter.\n';
    const when = { purpose: 'document', node: firstTopic };
    const second = (simulation: Simulation): string => simulation.search.tree.root.children[1]?.slug ?? '';
    const path = { second: '' };
    const simulation = await editedAt(when, (of) => {
      const [, other] = JSON.parse(of.readNow('children.json') ?? '[]') as { slug: string }[];
      path.second = other?.slug ?? '';
      of.put(`${path.second}/document.md`, mine);
    });
    assert.equal(path.second, second(simulation));
    assert.equal(await simulation.store.readDocument(path.second), mine);
    const asked = simulation.model.log.filter(({ node, purpose }) => node === path.second && purpose === 'document');
    assert.deepEqual(asked, []);
  });

  it('gets a document of its own for a node with another title, also where it is made from the file of another', async () => {
    const files = new MemoryFiles();
    await (await simulate({ tree, store: createMemoryStore(QUESTION, files), search })).run();
    const list = JSON.parse(files.readNow('children.json') ?? '[]') as { title: string; slug: string }[];
    const [first = { title: '', slug: '' }, second = { title: '', slug: '' }] = list;
    const reopened = (from: string, title: string): string =>
      JSON.stringify({ ...JSON.parse(files.readNow(`${from}/node.json`) ?? ''), title, status: 'unexpanded' });
    files.put('made/node.json', reopened(first.slug, 'Made from another'));
    files.put(`${second.slug}/node.json`, reopened(second.slug, 'Renamed'));
    for (const name of ['document.md', 'children.json']) files.drop(`${second.slug}/${name}`);
    const again = await simulate({ tree, store: createMemoryStore(QUESTION, files), search });
    await again.run();
    for (const [slug, title] of [
      ['made', 'Made from another'],
      [second.slug, 'Renamed'],
    ] as const) {
      const asked = again.model.log.filter(({ node, purpose }) => node === slug && purpose === 'document');
      assert.equal(asked.length, 1, title);
      assert.notEqual(files.readNow(`${slug}/document.md`), files.readNow(`${first.slug}/document.md`));
    }
  });

  it('is told what a note says, once a conversation', async () => {
    const prompts: { node: string; text: string }[] = [];
    const files = new MemoryFiles();
    const store = createMemoryStore(QUESTION, files);
    await store.writeNotes('Mind the cache.\n');
    const simulation = await simulate({
      tree,
      store,
      model: {
        latencyMs: ({ node, turns, prompt }) => {
          prompts.push({ node, text: [...turns.map(({ text }) => text), prompt].join('\n') });
          return 10;
        },
      },
      search,
    });
    await simulation.run();
    for (const { text } of prompts) assert.equal(text.split('Mind the cache.').length, 2);
  });

  it('is told a note also where a topic above is called the same', async () => {
    const told: boolean[] = [];
    let note = '?';
    const simulation = await simulate({
      tree,
      model: {
        latencyMs: ({ node, prompt, turns }) => {
          if (node.includes('/'))
            told.push(
              [...turns.map(({ text }) => text), prompt].some((text) => text.endsWith(`<notes>\n${note}\n</notes>`)),
            );
          return 10;
        },
      },
      search: { ...search, concurrency: 1 },
    });
    simulation.search.listen((event) => {
      if (note !== '?' || event.type !== 'call-ended' || event.purpose !== 'document') return;
      note = simulation.search.tree.root.children[0]?.title ?? '';
      void simulation.search.act({ action: 'note', text: note }, 'me');
    });
    await simulation.run();
    assert.ok(told.length > 3 && told.every(Boolean));
  });

  it('may bring prompts; a placeholder that does not exist is named', async () => {
    const files = new MemoryFiles();
    const store = createMemoryStore(QUESTION, files);
    files.put('prompts/root.md', 'Which parts has it? {{question}} (at most {{max}})');
    files.put('prompts/document.md', 'Tell me about {{title}} at depth {{ depth }}.');
    const prompts: string[] = [];
    const roots: string[] = [];
    const simulation = await simulate({
      tree,
      store,
      model: {
        latencyMs: ({ purpose, prompt, node }) => {
          if (purpose === 'document') prompts.push(prompt);
          if (purpose === 'children' && node === '') roots.push(prompt);
          return 1;
        },
      },
      search,
    });
    await simulation.run();
    assert.ok(prompts.every((prompt) => /^Tell me about [^{}]+ at depth [123]\.$/.test(prompt)));
    assert.deepEqual(roots, [`Which parts has it? ${QUESTION.prompt} (at most 50)`]);
    files.put('prompts/pick.md', 'Choose: {{candidates}} {{colour}}');
    await assert.rejects(
      simulate({ tree, store: createMemoryStore(QUESTION, files), search }),
      /prompts\/pick\.md: unknown placeholder \{\{colour\}\}/,
    );
    files.put('prompts/pick.md', 'Choose one.');
    await assert.rejects(simulate({ tree, store: createMemoryStore(QUESTION, files), search }), /\{\{candidates\}\}/);
  });
});
