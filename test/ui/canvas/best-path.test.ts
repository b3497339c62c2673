import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { walk } from '../../../src/core/tree/tree.ts';
import { descriptorOf } from '../../../src/engine/kind.ts';
import { investigationDescriptor } from '../../../src/kinds/investigation/descriptor.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import type { GraphNode, GraphSearch } from '../../../src/protocol/graph-node.ts';
import { overviewOf } from '../../../src/searches/reader/search-overview.ts';
import { graphNodeOf, graphSearchOf } from '../../../src/searches/search-graph.ts';
import { removeWorkspaces } from '../../support/quotes/quotes-workspace.ts';
import { REAL_SEARCHES, type RealSearch } from '../../support/searches/real-searches.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { expectedIn, pixelsAt, placeOf, roomOf } from '../support/drawn.ts';
import { PanelPage } from '../support/panel-page.ts';
import { sampleSearch, sampleThoughts } from '../support/sample-tree.ts';
import { sampleWorkGraph } from '../support/sample-work-graph.ts';
import { useBrowser } from '../support/use-browser.ts';

interface Snapshot {
  readonly search: GraphSearch;
  readonly nodes: readonly GraphNode[];
}

/** Runs a search, and returns its folder. */
async function ran(name: RealSearch): Promise<string> {
  const folder = join(temporaryFolder('best'), name);
  await REAL_SEARCHES[name](folder);
  return folder;
}

/** Returns a search as the panel gets it. */
async function snapshotOf(folder: string): Promise<Snapshot> {
  const { tree, file, reader } = await overviewOf(KINDS, folder);
  const parts = { kinds: KINDS, show: ({ text }: { text: string }) => text };
  const context = { links: tree.links };
  const nodes = [...walk(tree.root)].map((node) =>
    graphNodeOf(node, descriptorOf(KINDS, file.kind), parts.show, context),
  );
  return { search: { ...graphSearchOf(reader, tree, parts), actions: [] }, nodes };
}

/** Returns the path that a search of thoughts itself named when it came to rest, from its journal. */
async function namedIn(folder: string): Promise<readonly string[]> {
  const journal = await readFile(join(folder, '.search/journal.jsonl'), 'utf8');
  const said = [...journal.matchAll(/"finishedPath":(\[.*?\]),"bestPath":(\[.*?\])/g)].at(-1);
  const [finished, best] = [said?.[1], said?.[2]].map((list) => JSON.parse(list ?? '[]') as string[]);
  return (finished?.length ? finished : best) ?? [];
}

describe('the gold in the drawing', () => {
  const opened = useBrowser();
  let panel: PanelPage;
  afterEach(() => panel?.close());
  after(removeWorkspaces);

  /** The nodes that a golden line leads to. */
  async function goldenIn({ search, nodes }: Snapshot): Promise<string[]> {
    panel = await PanelPage.open(opened.browser, { width: 1400, height: 900 });
    await panel.snapshot(search, nodes);
    const expected = expectedIn(await roomOf(panel), search, nodes);
    const placed = expected.layout.placed.filter(({ node }) => node.path !== '');
    assert.equal(placed.length, nodes.length - 1, 'everything is drawn');
    const points = placed.map((each) => {
      const { left, y } = placeOf(expected, each);
      return [left - 4, y] as const;
    });
    const gold = await pixelsAt(panel, points, { colour: 'charts-yellow', reach: 3 });
    return placed.filter((_, i) => (gold[i] ?? 0) > 0).map(({ node }) => node.path);
  }

  for (const name of ['thoughts', 'paused-thoughts'] as const)
    it(`is the path that a search of thoughts named itself: ${name}`, async () => {
      const folder = await ran(name);
      const named = await namedIn(folder);
      assert.ok(named.length > 0);
      const golden = await goldenIn(await snapshotOf(folder));
      assert.deepEqual(golden.sort(), [...named].sort());
    });

  it('reaches a solution without a score, past better scores that lead nowhere', async () => {
    const nodes = sampleThoughts();
    const search = sampleSearch(nodes, { state: 'finished' });
    const solution = nodes.find(({ leafReason }) => leafReason === 'solved');
    assert.equal(solution?.score, undefined);
    const golden = await goldenIn({ search, nodes });
    assert.deepEqual(golden.sort(), ['node_1', 'node_1/node_1_1', 'node_1/node_1_1/node_1_1_1']);
  });

  it('is that of the best scores, where research has any', async () => {
    const snapshot = await snapshotOf(await ran('research'));
    const path: string[] = [];
    for (let at = ''; ; ) {
      const below = snapshot.nodes.filter((each) => each.path !== '' && parentOf(each.path) === at);
      const scored = below.filter(({ score, status }) => score !== undefined && status !== 'pruned');
      const best = scored.sort((a, b) => (b.score ?? 0) - (a.score ?? 0))[0];
      if (!best) break;
      path.push(best.path);
      at = best.path;
    }
    assert.ok(path.length > 0);
    assert.deepEqual((await goldenIn(snapshot)).sort(), path.sort());
  });

  it('is not in an investigation or a work graph, which name no best path', async () => {
    const nodes: GraphNode[] = ['', 'a', 'a/b', 'c'].map((path, index) => {
      const marks = path === '' ? {} : { marks: [{ text: 'R1', tone: 'dim' as const }] };
      return { path, title: path || 'Why?', status: 'expanded', index, ...marks };
    });
    const search = sampleSearch(nodes, { kind: investigationDescriptor.name, state: 'finished' });
    assert.deepEqual(await goldenIn({ search, nodes }), []);
    await panel.close();
    assert.deepEqual(await goldenIn(sampleWorkGraph()), []);
  });
});

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
