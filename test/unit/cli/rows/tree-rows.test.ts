import assert from 'node:assert/strict';
import { countsRow, nodeRow, treeRows } from '../../../../src/cli/rows/tree-rows.ts';
import { renderRow } from '../../../../src/cli/terminal/terminal.ts';
import { Tree } from '../../../../src/core/tree/tree.ts';
import { researchDescriptor } from '../../../../src/kinds/research/descriptor.ts';
import { PLAIN, sampleTree, WORDS } from './sample-tree.ts';

describe('the tree as rows', () => {
  const { tree, byTitle } = sampleTree();
  const plain = (room: number, wanted: string[] = [], columns = 80): string[] =>
    treeRows(tree, room, researchDescriptor, wanted.map(byTitle)).map((row) => renderRow(row, columns, PLAIN));

  it('shows all of it where there is room, with marks that need no colour', () => {
    assert.deepEqual(plain(10), [
      '✓ Alpha 7.3/10',
      '  ✓ One',
      '    ◐ Deep',
      '    ○ Deeper',
      '  ○ Two 10/10',
      '  ○ Three',
      '◐ Beta',
      '● Gamma',
      '⊘ Delta (by hand)',
      '✗ Epsilon (timed-out)',
    ]);
  });

  it('shows the wanted nodes with those above them, and counts of the rest', () => {
    assert.deepEqual(plain(5, ['Deep', 'Beta']), [
      '✓ Alpha 7.3/10 +2',
      '  ✓ One +1',
      '    ◐ Deep',
      '◐ Beta',
      '… 6 more topics',
    ]);
    assert.deepEqual(
      plain(3, ['Deep']),
      ['✓ Alpha 7.3/10 +3', '◐ Beta', '… 8 more topics'],
      'a branch that does not fit',
    );
    assert.deepEqual(plain(1), ['… 10 more topics']);
    assert.deepEqual(plain(0), []);
  });

  it('shows the first level before deeper ones', () => {
    assert.deepEqual(
      plain(8).map((line) => line.trim().split(' ')[1]),
      ['Alpha', 'One', 'Two', 'Beta', 'Gamma', 'Delta', 'Epsilon', '3'],
    );
  });

  it('is cut to the width, but keeps the score', () => {
    const wide = new Tree('');
    wide.add(wide.root, 'a', { title: '研究：为什么构建这么慢？它的缓存在哪里', evaluation: { score: 5.5 } });
    const [row] = treeRows(wide, 5, researchDescriptor).map((each) => renderRow(each, 20, PLAIN));
    assert.equal(row, '○ 研究：为什… 5.5/10');
  });

  it('makes hostile titles harmless', () => {
    const hostile = new Tree('');
    const title = '\u001b]0;owned\u0007\u001b[2J\u001b[31mred\r\nnext \u202egnp.exe\u2069 \u009b1A';
    const node = hostile.add(hostile.root, 'a', {
      title,
      status: 'failed',
      failure: { reason: '\u001b[5m', message: '' },
    });
    assert.equal(renderRow(nodeRow(node), 80, PLAIN), '✗ ]0;owned [2J [31mred next gnp.exe 1A ([5m)');
  });

  it('does not move deep nodes off the screen', () => {
    const deep = new Tree('');
    let node = deep.root;
    for (let i = 0; i < 60; i++) node = deep.add(node, 'a', { title: 'Deep down' });
    assert.match(renderRow(nodeRow(node), 80, PLAIN), /^ {24}○ Deep down$/);
  });

  it('says of each node what its kind marks it with', () => {
    const marks = {
      texts: [],
      of: (own: unknown, below: readonly unknown[]) => [
        { text: JSON.stringify([own, below.length]), tone: 'good' } as const,
        { text: '\u001b[2Jx', tone: 'bad' } as const,
      ],
    };
    const marked = new Tree('Why?');
    const file = { title: 'First', status: 'unexpanded', own: { name: 'A1' } } as never;
    marked.add(marked.root, 'first', { file });
    const [row] = treeRows(marked, 50, { ...researchDescriptor, marks });
    assert.match(renderRow(row ?? [], 80, WORDS), /○.*First<g {2}\[\{"name":"A1"\},0\]><r {2,3}\[2Jx>/);
    assert.doesNotMatch(renderRow(treeRows(tree, 50, { ...researchDescriptor, marks })[0] ?? [], 80, PLAIN), /\[/);
  });

  it('counts each status next to its mark', () => {
    assert.equal(
      renderRow(countsRow(tree.counts, researchDescriptor.words), 200, WORDS),
      '<g ✓> 2 expanded  <g ●> 1 leaf  <c ◐> 2 in progress  <d ○> 3 open  <y ⊘> 1 pruned  <r ✗> 1 failed',
    );
    assert.equal(renderRow(countsRow(new Tree('').counts, researchDescriptor.words), 200, PLAIN), 'no topics yet');
  });
});
