import assert from 'node:assert/strict';
import type { NodeStatus } from '../../../../../src/core/tree/node-file.ts';
import { Tree, type TreeNode } from '../../../../../src/core/tree/tree.ts';
import { graphFrom } from '../../../../../src/kinds/work-graph/run/read-graph.ts';

describe('the work graph of a tree', () => {
  let tree: Tree;

  beforeEach(() => {
    tree = new Tree('A goal');
  });

  function add(parent: TreeNode, slug: string, own?: object, more: object = {}): TreeNode {
    const status: NodeStatus = 'unexpanded';
    const file = { title: slug, status, id: `id-${slug}`, ...(own && { own: own as never }), ...more };
    return tree.add(parent, slug, { file });
  }

  it('has atoms, parts, groups and what they depend on', () => {
    const first = add(tree.root, 'first', {
      type: 'atom',
      name: 'A1',
      touches: ['a/**'],
      uses: ['db'],
      probe: 'first',
    });
    const group = add(tree.root, 'auth', { type: 'group', name: 'auth', choices: ['B2', 'B9'] });
    add(group, 'b1', { type: 'atom', name: 'B1' }, { links: [{ type: 'depends-on', to: first.fileId as string }] });
    const b2 = add(group, 'b2', { type: 'atom', name: 'B2' }, { links: [{ type: 'if-failed', to: 'id-b1' }] });
    add(b2, 'part', { type: 'atom', name: 'P' }, { links: [{ type: 'depends-on', to: 'gone' }] });
    add(tree.root, 'goal', { type: 'goal' });
    const { graph, goal, atoms } = graphFrom(tree);
    assert.deepEqual([...graph.atoms.keys()], ['A1', 'B1', 'B2', 'P']);
    const { touches, uses, needsProbe, parent } = graph.atoms.get('A1') ?? {};
    assert.deepEqual(
      { touches, uses, needsProbe, parent },
      { touches: ['a/**'], uses: ['db'], needsProbe: true, parent: undefined },
    );
    assert.deepEqual(graph.atoms.get('B1')?.dependsOn, ['A1']);
    assert.equal(graph.atoms.get('B2')?.ifFailed, 'B1');
    assert.equal(graph.atoms.get('B2')?.group, 'auth');
    assert.equal(graph.atoms.get('P')?.parent, 'B2');
    assert.deepEqual(graph.atoms.get('P')?.dependsOn, ['gone']);
    assert.deepEqual(graph.groups.get('auth')?.choices, ['B2', 'B9', 'B1']);
    assert.equal(goal?.node.slug, 'goal');
    assert.equal(atoms.get('P')?.node.slug, 'part');
  });

  it('says how far atoms are', () => {
    const work = { base: 'abcdef0', by: 'x', summary: '', artifacts: [] };
    add(tree.root, 'open', { type: 'atom', name: 'open' }, { status: 'in-progress' });
    add(tree.root, 'done', { type: 'atom', name: 'done', work });
    add(tree.root, 'asks', { type: 'atom', name: 'asks', work, evidence: [{ item: '0', word: 'uncheckable' }] });
    add(tree.root, 'resolved', { type: 'atom', name: 'resolved', work }, { status: 'leaf' });
    add(tree.root, 'failed', { type: 'atom', name: 'failed' }, { status: 'failed' });
    const states = [...graphFrom(tree).graph.atoms.values()].map(({ state, needsPerson }) => [state, needsPerson]);
    assert.deepEqual(states, [
      ['pending', false],
      ['done', false],
      ['done', true],
      ['resolved', false],
      ['failed', false],
    ]);
  });

  it('leaves out what is pruned, which others still wait for by its name', () => {
    const cut = add(tree.root, 'cut', { type: 'atom', name: 'A1' }, { status: 'pruned' });
    add(cut, 'below', { type: 'atom', name: 'A2' });
    add(tree.root, 'next', { type: 'atom', name: 'A3' }, { links: [{ type: 'depends-on', to: 'id-cut' }] });
    const { graph } = graphFrom(tree);
    assert.deepEqual([...graph.atoms.keys()], ['A3']);
    assert.deepEqual(graph.atoms.get('A3')?.dependsOn, ['A1']);
  });

  it('takes nodes that a person added or copied', () => {
    add(tree.root, 'one', { type: 'atom', name: 'A1' });
    add(tree.root, 'one-2', { type: 'atom', name: 'A1' });
    add(tree.root, 'by-hand');
    add(tree.root, 'damaged', { type: 'atom', name: '' });
    assert.deepEqual([...graphFrom(tree).graph.atoms.keys()], ['A1', 'A1~2', 'by-hand', 'damaged']);
  });

  it('sees at once what a node keeps now', () => {
    const node = add(tree.root, 'one', { type: 'atom', name: 'A1', uses: ['db'] });
    assert.deepEqual(graphFrom(tree).graph.atoms.get('A1')?.uses, ['db']);
    tree.update(node, { own: { type: 'atom', name: 'A1', uses: ['net'] } });
    assert.deepEqual(graphFrom(tree).graph.atoms.get('A1')?.uses, ['net']);
  });
});
