import assert from 'node:assert/strict';
import { join } from 'node:path';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { exportSearch, formatsOf, searchAsJson } from '../../../src/searches/export-search.ts';
import { sharedSample } from '../../support/searches/shared-sample.ts';
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

describe('a search that is exported', () => {
  it('names the link by which an editor opens it, where it is in its workspace', async () => {
    const { overview, workspace } = await sharedSample();
    const linkIn = async (folder: string): Promise<string | undefined> =>
      JSON.parse((await exportSearch(KINDS, await overview(), folder, 'json')).text).link;
    const link = 'vscode://thought-tree.thought-tree/open?search=thought-trees/build';
    assert.deepEqual([await linkIn(workspace), await linkIn(join(workspace, 'other'))], [link, undefined]);
  });
});

describe('a search of any kind as a graph for other programs', () => {
  it('is written for Graphviz and for Mermaid, and no title is more than a title there', async () => {
    const evil = { title: '"]; end" --> x["<b>`#', score: 3, below: { deep: { title: 'Below it', status: 'pruned' } } };
    const overview = await (await sharedSample({ evil, plain: { title: 'Plain' } })).overview();
    assert.deepEqual(formatsOf(KINDS, overview.file), ['json', 'dot', 'mermaid']);
    const dot = await exportSearch(KINDS, overview, '/w', 'dot');
    assert.match(dot.fileName, /\.dot$/);
    assert.match(dot.text, /^digraph search \{\n/);
    assert.match(dot.text, /n1 \[label="\\"\]; end\\" --> x\[\\"<b>`# \(3\)"\];\n {2}n0 -> n1;/);
    assert.match(dot.text, /label="Below it", style=dashed/);
    const mermaid = await exportSearch(KINDS, overview, '/w', 'mermaid');
    assert.match(mermaid.text, /^flowchart LR\n {2}n0\["Why is the build slow#63;"\]\n/);
    for (const line of mermaid.text.trim().split('\n').slice(1))
      assert.match(line, /^ {2}(?:n\d+\["[^"\]<>`]*"\]|n\d+ --> n\d+|style n\d+ stroke-dasharray: 4 3)$/);
  });
});
