import assert from 'node:assert/strict';
import type { GroupedNode } from '../../../../../src/core/kind/kind-descriptor.ts';
import { pathOf, type Tree, walk } from '../../../../../src/core/tree/tree.ts';
import { workGraphGroups } from '../../../../../src/kinds/work-graph/show/looks.ts';
import { sampleGraph } from '../../../../support/work-graph/sample-graph.ts';

function grouped(tree: Tree): GroupedNode[] {
  return [...walk(tree.root)]
    .filter(({ parent }) => parent)
    .map((node) => ({
      path: pathOf(node),
      status: node.status,
      own: node.file?.own,
      links: tree.links.from(node).flatMap(({ type, to }) => (to ? [{ type, path: pathOf(to) }] : [])),
    }));
}

function groupsIn(nodes: readonly GroupedNode[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [path, name] of workGraphGroups.of(nodes)) found[name] = [...(found[name] ?? []), path];
  return found;
}

/** The sample with some nodes changed. */
function changed(changes: Readonly<Record<string, Partial<GroupedNode>>>): GroupedNode[] {
  return grouped(sampleGraph()).map((node) => ({ ...node, ...changes[node.path] }));
}

describe('the groups of a work graph', () => {
  it('say what can be done next, and by whom', () => {
    assert.deepEqual(groupsIn(grouped(sampleGraph())), {
      resolved: ['a1', 'a2'],
      failed: ['g1/a3'],
      aside: ['g1/a5'],
      running: ['g1/a4'],
      waiting: ['a6/a7', 'a6/a8', 'a6/a9', 'a10', 'a11', 'goal'],
      person: ['a12'],
    });
  });

  it('let parts begin once what their whole waits for is resolved: a group by its chosen alternative', () => {
    const groups = groupsIn(changed({ 'g1/a4': { status: 'leaf' } }));
    assert.deepEqual(groups['ready'], ['a6/a7']);
    assert.deepEqual(groups['person'], ['a6/a9', 'a12'], 'a9 is for a person, and can be done now');
  });

  it('call work that is not joined with the rest yet running, and what nobody can check here a person\u2019s', () => {
    const own = { type: 'atom', work: {} };
    assert.ok(groupsIn(changed({ a10: { own, links: [] } }))['running']?.includes('a10'));
    const open = { ...own, evidence: [{ word: 'uncheckable' }] };
    assert.ok(groupsIn(changed({ a10: { own: open, links: [] } }))['person']?.includes('a10'));
  });

  it('take the next alternative when the chosen one failed', () => {
    const groups = groupsIn(changed({ 'g1/a4': { status: 'failed' } }));
    assert.deepEqual([groups['failed'], groups['aside']], [['g1/a3', 'g1/a4'], undefined]);
    assert.deepEqual(groups['ready'], ['g1/a5']);
  });

  it('count a dependency on one alternative as one on its group', () => {
    const links = [{ type: 'depends-on', path: 'g1/a3' }];
    const groups = groupsIn(changed({ a10: { links }, 'g1/a4': { status: 'leaf' } }));
    assert.ok(groups['ready']?.includes('a10'));
  });

  it('let an atom begin because another one failed', () => {
    const links = [{ type: 'if-failed', path: 'a2' }];
    assert.ok(groupsIn(changed({ a11: { links }, a2: { status: 'failed' } }))['ready']?.includes('a11'));
    assert.ok(groupsIn(changed({ a11: { links } }))['waiting']?.includes('a11'));
  });

  it('survive what nobody checked: circles, links to nowhere, and own fields of any form', () => {
    const wild = changed({
      a1: { status: 'unexpanded', links: [{ type: 'depends-on', path: 'a2' }] },
      a2: { status: 'unexpanded', own: 7, links: [{ type: 'depends-on', path: 'a1' }] },
      g1: { own: { type: 'group', selected: {} } },
      goal: { own: { type: 'goal', evidence: [null, 3, { word: 'uncheckable' }] } },
      a12: { links: [{ type: 'depends-on', path: 'gone' }], own: null },
    });
    const groups = groupsIn(wild);
    assert.deepEqual(groups['person'], ['goal']);
    assert.ok(groups['waiting']?.includes('a12'));
  });
});
