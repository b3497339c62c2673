import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { NodeStatus } from '../../../../src/core/tree/node-file.ts';
import {
  bestPathOf,
  byPosition,
  isPruned,
  lineageOf,
  nodeAt,
  pathOf,
  Tree,
  type TreeNode,
  walk,
} from '../../../../src/core/tree/tree.ts';
import { TreeRecord } from '../../../../src/core/tree/tree-record.ts';

const STATUSES: NodeStatus[] = ['unexpanded', 'in-progress', 'expanded', 'leaf', 'pruned', 'failed'];

/** The plainest tree there is. */
interface Plain {
  slug: string;
  status: NodeStatus;
  listed: boolean;
  children: Plain[];
}

/** One step: what to do, and numbers that say where. */
type Step = [action: 'add' | 'update' | 'remove' | 'reorder', at: number, how: number];

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('add', 'add', 'add', 'update', 'remove', 'reorder'),
  fc.nat(1000),
  fc.nat(1000),
);

function flatten(plain: Plain, path: string): [string, Plain][] {
  return plain.children.flatMap((child) => {
    const at = path === '' ? child.slug : `${path}/${child.slug}`;
    return [[at, child] as [string, Plain], ...flatten(child, at)];
  });
}

function apply(tree: Tree, plain: Plain, [action, at, how]: Step, count: number): void {
  const all: [string, Plain][] = [['', plain], ...flatten(plain, '')];
  const [path, model] = all[at % all.length] as [string, Plain];
  const node = nodeAt(tree, path) as TreeNode;
  const status = STATUSES[how % STATUSES.length] as NodeStatus;
  const listed = how % 2 === 0;
  if (action === 'add') {
    tree.add(node, `n${count}`, { title: `Node ${count}`, status, listed });
    model.children.push({ slug: `n${count}`, status, listed, children: [] });
  } else if (action === 'reorder') {
    model.children.sort((a, b) => ((how * Number(a.slug.slice(1))) % 7) - ((how * Number(b.slug.slice(1))) % 7));
    tree.reorder(
      node,
      model.children.map(({ slug }) => slug),
    );
  } else if (path === '') {
    assert.throws(() => tree.remove(node), RangeError);
  } else if (action === 'update') {
    tree.update(node, { status, listed });
    Object.assign(model, { status, listed });
  } else {
    const parent = all.find(([, each]) => each.children.includes(model))?.[1] as Plain;
    parent.children.splice(parent.children.indexOf(model), 1);
    const gone = tree.remove(node);
    assert.equal(gone[0], node);
    assert.equal(gone.length, 1 + flatten(model, '').length);
    for (const each of gone) assert.equal(tree.get(each.id), undefined);
  }
}

function compare(tree: Tree, plain: Plain): void {
  const wanted = flatten(plain, '');
  const nodes = [...walk(tree.root)].slice(1);
  assert.deepEqual(
    nodes.map(pathOf),
    wanted.map(([path]) => path),
  );
  assert.equal(tree.size, wanted.length);
  assert.equal(tree.finished, wanted.filter(([, { listed }]) => listed).length);
  const pruned = wanted.flatMap(([path, { status }]) => (status === 'pruned' ? [`${path}/`] : []));
  const isOpenBelow = ([path, { status }]: [string, Plain]): boolean =>
    (status === 'unexpanded' || status === 'in-progress') && pruned.some((above) => path.startsWith(above));
  const counted = wanted.map((each) => (isOpenBelow(each) ? 'pruned' : each[1].status));
  for (const status of STATUSES)
    assert.equal(tree.counts[status], counted.filter((each) => each === status).length, status);
  for (const node of nodes) {
    assert.equal(nodeAt(tree, pathOf(node)), node);
    assert.equal(tree.get(node.id), node);
    assert.equal(node.parent?.children[node.index], node);
    assert.equal(node.depth, lineageOf(node).length);
    assert.equal(
      isPruned(node),
      lineageOf(node).some(({ status }) => status === 'pruned'),
    );
  }
}

describe('a tree', () => {
  it('finds each of many children, the first of those that share a slug, after any steps', () => {
    const names = Array.from({ length: 45 }, (_, i) => `n${i}`);
    const step = fc.tuple(fc.constantFrom('add', 'remove', 'rename'), fc.nat(1000), fc.constantFrom(...names));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const tree = new Tree('T');
        const { root } = tree;
        for (const slug of names.slice(0, 38)) tree.add(root, slug, { title: slug });
        for (const [what, at, slug] of steps) {
          const child = root.children[at % root.children.length] as TreeNode;
          if (what === 'add') tree.add(root, slug, { title: slug });
          else if (what === 'remove') tree.remove(child);
          else tree.move(child, root, slug);
          for (const each of names)
            assert.equal(
              nodeAt(tree, each),
              root.children.find((child) => child.slug === each),
            );
        }
      }),
    );
  });

  it('looks at as many slugs for each change of a child, however many there are', () => {
    const looks = (count: number): number => {
      const record = new TreeRecord();
      const slugs = Array.from({ length: count }, (_, i) => `n${i}`);
      let looked = 0;
      for (const slug of slugs) {
        record.apply({ type: 'node-added', node: '', children: [{ slug, title: slug }] });
        const get = (): string => {
          looked++;
          return slug;
        };
        Object.defineProperty(record.tree.root.children.at(-1), 'slug', { get });
      }
      for (const node of slugs) record.apply({ type: 'node-status', node, status: 'leaf' });
      return looked / count;
    };
    assert.ok(looks(2000) < 1.2 * looks(1000), `${looks(1000)}, then ${looks(2000)}`);
  });

  it('equals the simplest tree after any steps', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const tree = new Tree('Question');
        const plain: Plain = { slug: '', status: 'expanded', listed: false, children: [] };
        for (const [count, each] of steps.entries()) apply(tree, plain, each, count);
        compare(tree, plain);
      }),
    );
  });

  it('sorts its nodes as it walks them', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.infiniteStream(fc.nat(1000)), (steps, chance) => {
        const tree = new Tree('Question');
        const plain: Plain = { slug: '', status: 'expanded', listed: false, children: [] };
        for (const [count, each] of steps.entries()) apply(tree, plain, each, count);
        const walked = [...walk(tree.root)];
        const keys = new Map(walked.map((node) => [node, chance.next().value]));
        const mixed = [...walked].sort((a, b) => (keys.get(a) as number) - (keys.get(b) as number));
        assert.deepEqual(mixed.sort(byPosition).map(pathOf), walked.map(pathOf));
      }),
    );
  });

  it('has a root that represents the question and is never counted', () => {
    const tree = new Tree('Question');
    tree.update(tree.root, { listed: true });
    assert.deepEqual([tree.size, tree.finished, tree.counts.expanded], [0, 0, 0]);
    assert.equal(pathOf(tree.root), '');
    assert.equal(nodeAt(tree, ''), tree.root);
  });

  it('has no node at a wrong path', () => {
    const tree = new Tree('Question');
    tree.add(tree.root, 'a', { title: 'A' });
    for (const path of ['b', 'a/b', '/a', 'a/', '/', '..']) assert.equal(nodeAt(tree, path), undefined);
  });

  it('reports when its nodes changed places, and only then', () => {
    const tree = new Tree('Question');
    for (const slug of ['a', 'b', 'c']) tree.add(tree.root, slug, { title: slug });
    tree.reorder(tree.root, ['a', 'b', 'c']);
    assert.equal(tree.reorderings, 0);
    tree.reorder(tree.root, ['c', 'a', 'b']);
    assert.equal(tree.reorderings, 1);
  });

  it('has the best path that a search names, as far as its nodes are there, else that of the best scores', () => {
    const tree = new Tree('Question');
    const scored = (parent: TreeNode, slug: string, score: number): TreeNode =>
      tree.add(parent, slug, { title: slug, evaluation: { score } });
    scored(tree.root, 'a', 3);
    scored(scored(tree.root, 'b', 9), 'c', 5);
    assert.deepEqual(bestPathOf(tree, ['a', 'gone']), ['a']);
    for (const own of [undefined, [], ['gone']]) assert.deepEqual(bestPathOf(tree, own), ['b', 'b/c']);
  });

  it('may be a hundred thousand nodes deep', () => {
    const tree = new Tree('Question');
    let node = tree.root;
    for (let i = 0; i < 100_000; i++) node = tree.add(node, 'x', { title: 'x' });
    assert.equal([...walk(tree.root)].length, 100_001);
    assert.equal(byPosition(tree.root, node) < 0, true);
    assert.equal(tree.remove(tree.root.children[0] as TreeNode).length, 100_000);
    assert.equal(tree.size, 0);
  });
});
