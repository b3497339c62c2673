import assert from 'node:assert/strict';
import { createMemoryStore, MemoryFiles } from '../../support/memory-store.ts';
import { snapshotOf } from '../../support/searches/search-snapshot.ts';
import { QUESTION, type Simulation, simulate } from '../../support/searches/simulated-search.ts';

const wide = { fanout: (_path: string, depth: number) => [6, 4, 3][depth] ?? 0 };
const latencyMs = ({ node }: { node: string }) => 500 + (node.length % 5) * 100;
const startedDocuments = ({ events }: Simulation): string[] =>
  events.flatMap((event) => (event.type === 'call-started' && event.purpose === 'document' ? event.node : []));

describe('a research search', () => {
  it('works on all of the first level in order, and keeps every slot busy', async () => {
    const simulation = await simulate({ tree: wide, model: { latencyMs }, search: { limits: { size: 'all' } } });
    const outcome = await simulation.run();
    assert.equal(outcome.state, 'finished');
    const first = startedDocuments(simulation).filter((node) => !node.includes('/'));
    assert.deepEqual(
      first,
      simulation.search.tree.root.children.map(({ slug }) => slug),
    );
    assert.equal(simulation.model.peak.others, 4);
    assert.ok(simulation.model.peak.all <= 5, 'one pick in addition to the slots');
    assert.equal(outcome.results.expanded + outcome.results.leaves, 6 + 24 + 72);
    assert.equal(outcome.results.open, 0);
  });

  it('stops at its size, with the open leaves left as they are', async () => {
    const simulation = await simulate({ tree: wide, model: { latencyMs }, search: { limits: { size: 'small' } } });
    const outcome = await simulation.run();
    assert.deepEqual([outcome.state, outcome.reason], ['finished', 'size']);
    assert.equal(outcome.results.expanded + outcome.results.leaves, 20);
    assert.ok(outcome.results.open > 0);
  });

  it('gives a node at the depth limit a document and no list, and continues from there when the limit is raised', async () => {
    const files = new MemoryFiles();
    const limits = { size: 'all' as const, maxDepth: 2 };
    const first = await simulate({ tree: wide, store: createMemoryStore(QUESTION, files), search: { limits } });
    await first.run();
    assert.equal(first.search.tree.counts.leaf, 24);
    assert.ok(!first.model.log.some(({ purpose, node }) => purpose === 'children' && node.includes('/')));
    const nodes = Object.entries(await snapshotOf(files)).filter(([path]) => /^[^/]+\/[^/]+\/node\.json$/.test(path));
    assert.equal(nodes.length, 24);
    for (const [, text] of nodes) assert.equal(JSON.parse(text).leafReason, 'depth-limit');
    const deeper = { ...limits, maxDepth: 3 };
    const second = await simulate({
      tree: wide,
      store: createMemoryStore(QUESTION, files),
      search: { limits: deeper },
      seed: 2,
    });
    const { results } = await second.run();
    assert.equal(results.expanded + results.leaves, 6 + 24 + 72);
    assert.ok(!second.model.log.some(({ purpose, node }) => purpose === 'document' && node.split('/').length < 3));
    assert.ok((await second.store.readJournal()).some(({ type }) => type === 'budget-changed'));
  });

  it('passes over what is finished on disk, and finds the last ranking again', async () => {
    const files = new MemoryFiles();
    const store = createMemoryStore(QUESTION, files);
    const first = await simulate({ tree: wide, model: { latencyMs }, store, search: { limits: { size: 'small' } } });
    await first.run();
    const second = await simulate({
      tree: wide,
      store: createMemoryStore(QUESTION, files),
      search: { limits: { size: 'all' } },
      seed: 2,
    });
    const { results } = await second.run();
    assert.equal(results.skipped, 20);
    assert.ok(second.events.some((event) => event.type === 'progress' && event.text.startsWith('Skipped (cached): ')));
    const again = second.model.log.filter(({ purpose, node }) =>
      first.model.log.some((each) => node !== '' && each.purpose === purpose && each.node === node),
    );
    assert.deepEqual(again, []);
  });

  it('costs nothing when it is resumed with nothing left to do', async () => {
    const files = new MemoryFiles();
    const first = await simulate({ tree: wide, store: createMemoryStore(QUESTION, files) });
    await first.run();
    const second = await simulate({ tree: wide, store: createMemoryStore(QUESTION, files), seed: 2 });
    assert.equal((await second.run()).state, 'finished');
    assert.deepEqual(second.model.log, []);
  });

  it('sends a child what its parent was sent and answered, byte for byte', async () => {
    const sent: { node: string; purpose: string; text: string }[] = [];
    const simulation = await simulate({
      tree: wide,
      model: {
        latencyMs: ({ node, purpose, system, turns, prompt }) => {
          const text = [system, ...turns.map((turn) => turn.text), prompt].join('\u0000');
          sent.push({ node, purpose, text });
          return 100;
        },
      },
      search: { limits: { size: 'all' } },
    });
    await simulation.run();
    for (const child of sent.filter(({ node, purpose }) => node.includes('/') && purpose === 'document')) {
      const parent = child.node.slice(0, child.node.lastIndexOf('/'));
      const before = sent.find(({ node, purpose }) => node === parent && purpose === 'children');
      assert.ok(before && child.text.startsWith(before.text), child.node);
    }
    assert.equal(new Set(sent.map(({ text }) => text.split('\u0000')[0])).size, 1, 'one system text');
  });

  it('lets no answer through that misses the schema of the front matter, and says what is missing', async () => {
    const prompts: string[] = [];
    const files = new MemoryFiles();
    const store = createMemoryStore(QUESTION, files);
    files.put('prompts/front-matter.json', '{"properties":{"kind":{"enum":["fact","guess"]}},"required":["kind"]}');
    const simulation = await simulate({
      store,
      tree: { fanout: (_path, depth) => (depth === 0 ? 1 : 0) },
      model: {
        instead: ({ purpose, prompt }, attempt) => {
          if (purpose !== 'document') return undefined;
          prompts.push(prompt);
          return attempt === 1 ? undefined : '---\ntitle: T\nsummary: S\nkind: fact\n---\nText.';
        },
      },
      search: { limits: { size: 'all' } },
    });
    const outcome = await simulation.run();
    assert.equal(outcome.results.leaves, 1);
    assert.match(prompts[1] ?? '', /kind/);
    const [child] = simulation.search.tree.root.children;
    const stored = await simulation.store.readConversation(child?.sessionId ?? '');
    assert.deepEqual(
      stored?.turns.map(({ purpose }) => purpose),
      ['document', 'document', 'children', 'children'],
      'correction turns are not kept',
    );
  });

  it('tells the same story in the journal as in the tree', async () => {
    const simulation = await simulate({ tree: wide, model: { latencyMs }, search: { limits: { size: 'small' } } });
    await simulation.run();
    const journal = await simulation.store.readJournal();
    assert.deepEqual(
      journal.map(({ seq }) => seq),
      journal.map((_, index) => index + 1),
    );
    const opened = journal.findIndex(({ type }) => type !== 'text-written');
    assert.deepEqual(journal.slice(opened), simulation.events);
    const statuses = new Map(journal.flatMap((e) => (e.type === 'node-status' ? [[e.node, e.status]] : [])));
    const worked = [...statuses.values()];
    const { expanded, leaf } = simulation.search.tree.counts;
    assert.equal(worked.filter((status) => status === 'expanded').length, expanded);
    assert.equal(worked.filter((status) => status === 'leaf').length, leaf);
    assert.equal(journal.at(-1)?.type, 'search-finished');
  });

  it('pauses cleanly, pauses at once, and loses nothing either way', async () => {
    for (const now of [false, true]) {
      const files = new MemoryFiles();
      const store = createMemoryStore(QUESTION, files);
      const first = await simulate({ tree: wide, model: { latencyMs }, store, search: { limits: { size: 'all' } } });
      first.search.listen((event) => {
        if (event.seq === 60) first.search.pause(now);
      });
      const outcome = await first.run();
      assert.deepEqual([outcome.state, outcome.reason], ['paused', 'user']);
      assert.equal(first.search.tree.counts['in-progress'], 0);
      const aborted = first.events.filter((event) => event.type === 'call-ended' && event.outcome === 'aborted');
      assert.equal(aborted.length > 0, now);
      const second = await simulate({ tree: wide, store: createMemoryStore(QUESTION, files), seed: 2 });
      const { results } = await second.run();
      assert.equal(results.expanded + results.leaves, 6 + 24 + 72);
    }
  });
});
