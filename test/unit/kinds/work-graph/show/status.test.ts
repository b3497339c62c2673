import assert from 'node:assert/strict';
import { type Tree, walk } from '../../../../../src/core/tree/tree.ts';
import { workStatus } from '../../../../../src/kinds/work-graph/show/status.ts';
import { sampleGraph } from '../../../../support/work-graph/sample-graph.ts';

type Told = Readonly<Record<string, unknown>>;

function rowsOf(tree: Tree): Record<string, string[]> {
  return Object.fromEntries(
    workStatus(tree).rows.map(({ label, lines }) => [label.text, lines.map(({ text }) => text)]),
  );
}

function atomsOf(tree: Tree): Map<string, Told> {
  const { ofNode } = workStatus(tree);
  const told = [...walk(tree.root)].flatMap((node): Told[] => {
    const each = ofNode(node) as Told | undefined;
    return each ? [each] : [];
  });
  return new Map(told.map((each) => [String(each['atom'] ?? each['group'] ?? 'goal'), each]));
}

describe('the status of a work graph', () => {
  it('says of every atom its name, state, and whether it is ready', () => {
    const atoms = [...atomsOf(sampleGraph()).values()].filter((each) => each['atom'] !== undefined);
    assert.ok(atoms.length > 5);
    for (const each of atoms) {
      assert.match(String(each['state']), /^(pending|in_progress|resolved)$/);
      assert.equal(typeof each['ready'], 'boolean');
      assert.ok(Array.isArray(each['evidence']) && Array.isArray(each['depends_on']));
      if (each['state'] !== 'pending') assert.equal(each['ready'], false, JSON.stringify(each));
    }
  });

  it('tells people what can be done next, and what waits for what', () => {
    assert.deepEqual(rowsOf(sampleGraph()), {
      Running: ['A4 With node:crypto behind one module (last try: src/crypto/hash.ts was changed by A2, too)'],
      'For you': ['A12 A flaky timer in the upload'],
      Waiting: [
        'A7 Those of the session (waits for G1)',
        'A8 Those of the upload (waits for A7, G1)',
        'A9 Those of the cache (waits for G1)',
        'A10 Say it in the changelog (waits for A6)',
      ],
      Goal: ['1 item does not hold'],
    });
  });

  it('says why the last try of an atom came to nothing', () => {
    const tree = sampleGraph();
    const node = [...walk(tree.root)].find(({ slug }) => slug === 'a5') ?? assert.fail();
    const tries = [{ iteration: 1, ended: 'contradicted', seen: 'It changed what it is judged by: test/one.js' }];
    const group = node.parent ?? assert.fail();
    tree.update(group, { own: { ...group.file?.own, selected: 'A5' } as never });
    tree.update(node, { own: { ...node.file?.own, tries } as never });
    const shown = Object.values(rowsOf(tree)).flat();
    assert.ok(
      shown.includes('A5 With a library (last try: It changed what it is judged by: test/one.js)'),
      shown.join('\n'),
    );
  });

  it('names the alternatives of a group, and which of them counts', () => {
    const { choices, selected, failed } = atomsOf(sampleGraph()).get('G1') ?? {};
    assert.deepEqual({ choices, selected, failed }, { choices: ['A3', 'A4', 'A5'], selected: 'A4', failed: ['A3'] });
    assert.equal(atomsOf(sampleGraph()).get('A3')?.['failed'], true);
  });
});
