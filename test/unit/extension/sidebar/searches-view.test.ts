import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { NodeOnDisk } from '../../../../src/core/ports/store.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import type { MoreElement, NodeElement, TreeElement } from '../../../../src/extension/sidebar/tree-element.ts';
import { fake, ThemeColor, ThemeIcon } from '../fake-vscode.ts';
import { available } from './available.ts';
import { sampleLibrary, sampleSearch, settled } from './sample.ts';

const { SearchesView } = await import('../../../../src/extension/sidebar/searches-view.ts');

/** A search with a tree in memory: slug paths, each with its score. Counts what is read. */
class Tree {
  readonly read: string[] = [];
  readonly nodes: Map<string, number>;
  readonly search: FollowedSearch;

  constructor(nodes: Readonly<Record<string, number>>) {
    this.nodes = new Map(Object.entries(nodes));
    const store = {
      readRootChildren: async () => ({ children: this.#children(''), folders: this.#slugs('') }),
      readNode: async (path: string) => this.#node(path),
    };
    this.search = sampleSearch({ store: store as unknown as NonNullable<FollowedSearch['store']> });
  }

  #slugs(above: string): string[] {
    const begin = above === '' ? '' : `${above}/`;
    const below = [...this.nodes.keys()]
      .filter((path) => path.startsWith(begin))
      .map((path) => path.slice(begin.length));
    return below.filter((slug) => slug !== '' && !slug.includes('/'));
  }

  #children(above: string): { title: string; slug: string }[] {
    return this.#slugs(above).map((slug) => ({ title: slug, slug }));
  }

  #node(path: string): NodeOnDisk | undefined {
    this.read.push(path);
    const score = this.nodes.get(path);
    if (score === undefined) return undefined;
    const file = { title: path, status: 'expanded' as const, evaluation: { score } };
    return { file, children: this.#children(path), hasDocument: true, folders: this.#slugs(path) };
  }
}

const wide = (count: number): Tree =>
  new Tree(Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, 1])));
const paths = (elements: readonly TreeElement[]): string[] => elements.map(({ path }) => path);

describe('the sidebar', () => {
  beforeEach(() => fake.reset());

  function open(tree: Tree) {
    const { library, tell } = sampleLibrary(tree.search);
    const view = new SearchesView(library, available);
    const drawn: (string | undefined)[] = [];
    view.onDidChangeTreeData((element) => drawn.push(element?.path));
    return { view, drawn, tell };
  }
  const root = async (view: InstanceType<typeof SearchesView>): Promise<TreeElement> =>
    (await view.getChildren())[0] as TreeElement;

  it('shows 200 siblings at once, and the next on demand', async () => {
    const tree = wide(450);
    const { view, drawn } = open(tree);
    const search = await root(view);
    const first = await view.getChildren(search);
    assert.equal(first.length, 201);
    assert.equal(tree.read.length, 200, 'nodes were read that nobody sees');
    const more = first.at(-1) as MoreElement;
    assert.equal(view.getTreeItem(more).label, 'Show 200 More…');
    assert.deepEqual(await view.getChildren(more), []);
    view.showMore(more);
    assert.deepEqual(drawn, ['']);
    const second = await view.getChildren(search);
    assert.equal(second.length, 401);
    assert.equal(view.getTreeItem(second.at(-1) as TreeElement).label, 'Show 50 More…');
    view.showMore(second.at(-1) as MoreElement);
    assert.equal((await view.getChildren(search)).length, 450);
  });

  it('shows exactly 200 without an offer of more', async () => {
    const { view } = open(wide(200));
    assert.equal((await view.getChildren(await root(view))).length, 200);
  });

  it('marks the best path from the top down, and nothing else', async () => {
    const { view } = open(new Tree({ a: 3, b: 8, c: 8, 'a/x': 10, 'b/y': 2, 'b/z': 4 }));
    const best = async (parent: TreeElement): Promise<string[]> => {
      const children = (await view.getChildren(parent)) as NodeElement[];
      return children.filter(({ isBest }) => isBest).map(({ path }) => path);
    };
    const search = await root(view);
    assert.deepEqual(await best(search), ['b'], 'the first of the best');
    const [a, b] = (await view.getChildren(search)) as [TreeElement, TreeElement];
    assert.deepEqual(await best(a), []);
    assert.deepEqual(await best(b), ['b/z']);
    assert.deepEqual(view.getTreeItem(b).iconPath, new ThemeIcon('pass', new ThemeColor('charts.yellow')));
  });

  it('reads each node once for all that changed while others were read, and draws the row of the search first', async () => {
    const tree = new Tree({ a: 3, b: 2, c: 1 });
    const { view, drawn, tell } = open(tree);
    await view.getChildren(await root(view));
    tree.read.length = 0;
    Object.assign(tree.search, { spend: { ...tree.search.spend, usd: 1 } });
    for (let i = 0; i < 50; i++) tell({ search: tree.search, paths: ['a', 'b', 'c'] });
    assert.deepEqual(drawn, [''], 'at once');
    await settled();
    await settled();
    assert.ok(tree.read.length <= 6, `${tree.read.length} were read`);
    assert.deepEqual(drawn.slice(1, 4), ['a', 'b', 'c']);
  });

  it('draws only the node that changed', async () => {
    const tree = new Tree({ a: 3, b: 2, 'a/x': 1 });
    const { view, drawn, tell } = open(tree);
    const children = await view.getChildren(await root(view));
    tree.read.length = 0;
    tell({ search: tree.search, paths: ['b'] });
    await settled();
    assert.deepEqual(drawn, ['b']);
    assert.deepEqual(tree.read, ['b']);
    assert.equal((await view.getChildren(await root(view)))[1], children[1], 'it is the same element');
  });

  it('draws the row of a search at most once a second: with it, the rows below lose their menus', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const tree = new Tree({ a: 3 });
      const { view, drawn, tell } = open(tree);
      await view.getChildren(await root(view));
      const work = (done: number): void => {
        Object.assign(tree.search, { progress: { done, open: 1, failed: 0 } });
        tell({ search: tree.search, paths: [] });
      };
      for (let done = 1; done <= 5; done++) work(done);
      assert.deepEqual(drawn, ['']);
      mock.timers.tick(1000);
      assert.deepEqual(drawn, ['', ''], 'what came meanwhile');
      mock.timers.tick(1000);
      assert.deepEqual(drawn, ['', ''], 'nothing came');
      work(6);
      assert.deepEqual(drawn, ['', '', '']);
    } finally {
      mock.timers.reset();
    }
  });

  it('marks another best node after a score changed', async () => {
    const tree = new Tree({ a: 3, b: 2 });
    const { view, drawn, tell } = open(tree);
    await view.getChildren(await root(view));
    tree.nodes.set('b', 9);
    tell({ search: tree.search, paths: ['b'] });
    await settled();
    assert.deepEqual(new Set(drawn), new Set(['a', 'b']));
  });

  it('shows added and removed nodes, found from above', async () => {
    const tree = new Tree({ a: 3, b: 2 });
    const { view, drawn, tell } = open(tree);
    const search = await root(view);
    await view.getChildren(search);
    tree.nodes.set('c', 1);
    tell({ search: tree.search, paths: ['c'] });
    await settled();
    assert.deepEqual(drawn, ['']);
    assert.deepEqual(paths(await view.getChildren(search)), ['a', 'b', 'c']);
    tree.nodes.delete('b');
    tell({ search: tree.search, paths: ['b'] });
    await settled();
    assert.deepEqual(paths(await view.getChildren(search)), ['a', 'c']);
  });

  it('reads and draws nothing while it is hidden, and everything once when it is shown', async () => {
    const tree = new Tree({ a: 3 });
    const { view, drawn, tell } = open(tree);
    await view.getChildren(await root(view));
    tree.read.length = 0;
    fake.treeView?.turn(false);
    for (let i = 0; i < 5; i++) tell({ search: tree.search, paths: ['a'] });
    await settled();
    assert.deepEqual([tree.read, drawn], [[], []]);
    fake.treeView?.turn(true);
    assert.deepEqual(drawn, [undefined]);
    fake.treeView?.turn(false);
    fake.treeView?.turn(true);
    assert.deepEqual(drawn, [undefined], 'nothing changed meanwhile');
  });

  it('says on its badge how many searches run, hidden or not', () => {
    const { library, tell } = sampleLibrary(sampleSearch(), sampleSearch({ folder: '/b', state: 'finished' }));
    new SearchesView(library, available);
    fake.treeView?.turn(false);
    tell();
    assert.equal(fake.treeView?.badge?.value, 1);
    Object.assign(library.searches[0] as object, { state: 'paused', isActive: false });
    tell();
    assert.equal(fake.treeView?.badge, undefined);
  });

  it('makes tooltips on demand', async () => {
    const { view } = open(new Tree({ a: 3 }));
    const search = await root(view);
    const [a] = (await view.getChildren(search)) as [TreeElement];
    for (const element of [search, a]) {
      const item = view.getTreeItem(element);
      assert.equal(item.tooltip, undefined);
      assert.ok((await view.resolveTreeItem(item, element)).tooltip);
    }
    assert.equal(view.getParent(a), search);
  });
});
