import assert from 'node:assert/strict';
import type { Move } from '../../../../../src/core/kind/strategy.ts';
import { Tree, type TreeNode } from '../../../../../src/core/tree/tree.ts';
import type { NodeId } from '../../../../../src/core/tree/tree-node.ts';
import { OpenLeaves } from '../../../../../src/kinds/research/open-leaves.ts';
import { Research } from '../../../../../src/kinds/research/strategy.ts';

/** Counts how often the depth of a node is read, which every comparison does. */
function counted(node: TreeNode, count: { reads: number }): TreeNode {
  const { depth } = node;
  return Object.defineProperty(node, 'depth', {
    get: () => {
      count.reads++;
      return depth;
    },
  });
}

/** Works through a search of so many leaves; how often a depth was read for each of them. */
function readsForEachNode(leaves: number): number {
  const count = { reads: 0 };
  const tree = new Tree('Question');
  for (let i = 0; i < leaves / 20; i++) {
    const fields = { title: 'b', status: 'expanded', listed: true } as const;
    const top = counted(tree.add(tree.root, `b${i}`, fields), count);
    for (let j = 0; j < 20; j++) counted(tree.add(top, `l${j}`, { title: 'l' }), count);
  }
  tree.update(tree.root, { listed: true });
  const strategy = new Research({ size: 'all', concurrency: 4, picker: 'ranked' });
  strategy.open(tree);
  const running: Move[] = strategy.ask(4);
  for (let move = running.shift(); move; move = running.shift()) {
    const node = tree.get(move.nodes[0] as NodeId) as TreeNode;
    if (move.kind === 'expand') tree.update(node, { status: 'leaf', listed: true });
    strategy.tell(move, move.kind === 'pick' ? { outcome: 'ranked', ranking: move.nodes } : { outcome: 'done' });
    running.push(...strategy.ask(4 - running.filter(({ kind }) => kind === 'expand').length));
  }
  assert.equal(strategy.end, 'complete');
  return count.reads / leaves;
}

describe('open leaves', () => {
  it('cost the same to choose from, however many there are', () => {
    const [few, many] = [readsForEachNode(500), readsForEachNode(16_000)];
    assert.ok(many < few * 2, `${many} against ${few}`);
  });

  it('are found best first: by score, then the shallowest, then in order', () => {
    const tree = new Tree('Question');
    const add = (parent: TreeNode, slug: string, score?: number): TreeNode =>
      tree.add(parent, slug, { title: slug, ...(score === undefined ? {} : { evaluation: { score } }) });
    const [a, b] = [add(tree.root, 'a'), add(tree.root, 'b')];
    const nodes = [add(add(b, 'x'), 'deep'), add(b, 'second'), add(a, 'first'), add(a, 'low', 2), add(b, 'high', 9)];
    const leaves = new OpenLeaves();
    for (const node of nodes) leaves.add(node);
    const found: string[] = [];
    for (let node = leaves.best(); node; node = leaves.best()) {
      found.push(node.slug);
      leaves.delete(node.id);
    }
    assert.deepEqual(found, ['high', 'low', 'first', 'second', 'deep']);
    assert.equal(leaves.size, 0);
  });

  it('come back where a score rose or fell', () => {
    const tree = new Tree('Question');
    const [a, b] = ['a', 'b'].map((slug) => tree.add(tree.root, slug, { title: slug, evaluation: { score: 5 } }));
    const leaves = new OpenLeaves();
    for (const node of [a, b] as TreeNode[]) leaves.add(node);
    for (const [score, best] of [
      [8, b],
      [1, a],
      [6, b],
    ] as const) {
      tree.update(b as TreeNode, { evaluation: { score } });
      leaves.add(b as TreeNode);
      assert.equal(leaves.best(), best);
    }
  });

  it('are each seen once in a window, also after they left and came back', () => {
    const tree = new Tree('Question');
    const top = tree.add(tree.root, 'top', { title: 'top' });
    const nodes = Array.from({ length: 10 }, (_, i) => tree.add(top, `n${i}`, { title: 'n' }));
    const leaves = new OpenLeaves();
    for (const node of nodes) leaves.add(node);
    leaves.delete((nodes[3] as TreeNode).id);
    leaves.add(nodes[3] as TreeNode);
    assert.deepEqual(
      leaves
        .nextWindow(20)
        .map(({ slug }) => slug)
        .sort(),
      nodes.map(({ slug }) => slug),
    );
  });
});
