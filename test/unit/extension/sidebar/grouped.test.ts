import { until } from '../../../support/until.ts';
import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import type { NodeOnDisk } from '../../../../src/core/ports/store.ts';
import type { NodeFile } from '../../../../src/core/tree/node-file.ts';
import { nodeAt, type Tree } from '../../../../src/core/tree/tree.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import type { NodeElement, TreeElement } from '../../../../src/extension/sidebar/tree-element.ts';
import { workGraphDescriptor } from '../../../../src/kinds/work-graph/descriptor.ts';
import { sampleGraph } from '../../../support/work-graph/sample-graph.ts';
import { fake } from '../fake-vscode.ts';
import { available } from './available.ts';
import { sampleLibrary, sampleSearch, settled } from './sample.ts';

const { SearchesView } = await import('../../../../src/extension/sidebar/searches-view.ts');

/** A search that keeps its nodes in memory. */
function searchOf(tree: Tree): FollowedSearch {
  const list = (path: string): Pick<NodeOnDisk, 'children' | 'folders'> => {
    const children = nodeAt(tree, path)?.children ?? [];
    return {
      children: children.map(({ slug, title }) => ({ slug, title })),
      folders: children.map(({ slug }) => slug),
    };
  };
  const fileAt = (path: string): NodeFile | undefined => nodeAt(tree, path)?.file as NodeFile | undefined;
  const store = {
    readRootChildren: async () => list(''),
    readNode: async (path: string) => {
      const file = fileAt(path);
      return file && { file, ...list(path), hasDocument: false };
    },
    readNodeFile: async (path: string) => fileAt(path),
  };
  const file = { kind: workGraphDescriptor.name } as FollowedSearch['file'];
  return sampleSearch({ file, isActive: true, store: store as unknown as NonNullable<FollowedSearch['store']> });
}

describe('the sidebar of a kind that divides its nodes', () => {
  beforeEach(() => fake.reset());

  async function open(tree: Tree) {
    const search = searchOf(tree);
    const { library, tell } = sampleLibrary(search);
    const view = new SearchesView(library, available);
    const drawn: (string | undefined)[] = [];
    view.onDidChangeTreeData((element) => drawn.push(element?.kind));
    const root = (await view.getChildren())[0] as TreeElement;
    const shown = async (): Promise<Record<string, string[]>> => {
      const groups = await view.getChildren(root);
      const pairs = groups.map(async (group) => {
        const nodes = await view.getChildren(group);
        return [String(view.getTreeItem(group).label), nodes.map(({ path }) => path)] as const;
      });
      return Object.fromEntries(await Promise.all(pairs));
    };
    return { search, view, drawn, tell, root, shown };
  }

  it('shows its nodes by what can be done next, without what only follows from others', async () => {
    const { view, root, shown } = await open(sampleGraph());
    assert.deepEqual(await shown(), {
      Running: ['g1/a4'],
      'Waiting for a person': ['a12'],
      'Waiting for others': ['a6/a7', 'a6/a8', 'a6/a9', 'a10', 'a11', 'goal'],
      Resolved: ['a1', 'a2'],
      Failed: ['g1/a3'],
      'Not chosen': ['g1/a5'],
    });
    const [running] = await view.getChildren(root);
    assert.equal(view.getTreeItem(running as TreeElement).description, '1');
    const [node] = (await view.getChildren(running)) as [NodeElement];
    const again = view.getParent(node);
    assert.equal(again?.kind === 'group' && again.name, 'running', 'a node is in its group, wherever its folder is');
    assert.deepEqual(await view.getChildren(node), []);
  });

  it('shows anew what can be done with its nodes when an offer is made or taken', async () => {
    const { search, drawn, tell, shown, view, root } = await open(sampleGraph());
    await shown();
    const flags = async (): Promise<string[]> => {
      const groups = await view.getChildren(root);
      const nodes = (await Promise.all(groups.map((group) => view.getChildren(group)))).flat();
      const node = nodes.find(({ path }) => path === 'a6/a9') as TreeElement;
      return String(view.getTreeItem(node).contextValue)
        .split(' ')
        .filter((flag) => /Hand$|^more$/.test(flag));
    };
    const told = async (event: object): Promise<string[]> => {
      search.record.offers.apply({ seq: 1, time: '2026-11-01T10:00:00Z', ...event } as never);
      drawn.length = 0;
      tell({ search, paths: [] });
      await settled();
      assert.ok(drawn.includes('node'));
      return await flags();
    };
    const offer = { id: 'o1', kind: 'any', nodes: ['a6/a9'], ask: {} };
    assert.deepEqual(await told({ type: 'offer-made', offer }), ['doByHand']);
    const taken = { type: 'offer-taken', offer: 'o1', by: 'vscode', person: true };
    assert.deepEqual(await told(taken), ['doneByHand', 'more']);
  });

  it('moves nodes to other groups when one of them changes, once for many changes', async () => {
    const tree = sampleGraph();
    const { search, drawn, tell, shown } = await open(tree);
    await shown();
    const chosen = nodeAt(tree, 'g1/a4');
    assert.ok(chosen);
    tree.update(chosen, { status: 'leaf' });
    drawn.length = 0;
    tell({ search, paths: ['g1/a4'] });
    tell({ search, paths: ['a1'] });
    await settled();
    await until(() => drawn.includes('search'));
    assert.equal(drawn.filter((kind) => kind === 'search').length, 1);
    assert.deepEqual((await shown())['Ready'], ['a6/a7']);
  });
});
