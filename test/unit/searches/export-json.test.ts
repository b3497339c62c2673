import assert from 'node:assert/strict';
import { searchAsJson } from '../../../src/searches/export-json.ts';
import { simulate } from '../../support/searches/simulated-search.ts';

interface Exported {
  readonly search: { prompt: string };
  readonly report: string;
  readonly notes: string;
  readonly children: string[];
  readonly nodes: {
    path: string;
    title: string;
    status: string;
    document?: string;
    children?: string[];
    mine?: string;
  }[];
}

describe('a search as one JSON value', () => {
  it('is all that its files say, of any kind, with what others put there', async () => {
    const { run, store, search } = await simulate({
      tree: { fanout: (_path, depth) => (depth === 0 ? 2 : depth === 1 ? 1 : 0) },
      search: { limits: { size: 'all', maxDepth: 2 } },
    });
    await run();
    await store.writeNotes('Be brief.\n');
    const [first = ''] = search.tree.root.children.map(({ slug }) => slug);
    await store.writeNode(first, { mine: 'kept' });
    const { file, tree } = search;
    const said = JSON.parse(JSON.stringify(await searchAsJson({ file, tree, store }))) as Exported;
    assert.deepEqual([said.search.prompt, said.notes], [file.prompt, 'Be brief.\n']);
    assert.equal(said.report, await store.readReport());
    assert.deepEqual(
      said.children,
      tree.root.children.map(({ slug }) => slug),
    );
    assert.equal(said.nodes.length, tree.size);
    const [node] = said.nodes;
    assert.deepEqual([node?.path, node?.status, node?.mine], [first, 'expanded', 'kept']);
    assert.equal(node?.document, await store.readDocument(first));
    assert.deepEqual(node?.children?.length, 1);
  });
});
