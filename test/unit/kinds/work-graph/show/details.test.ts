import assert from 'node:assert/strict';
import { workGraphDetails } from '../../../../../src/kinds/work-graph/show/details.ts';

function rowsOf(own: unknown, title: string): string[][] {
  const table = workGraphDetails.of(own).find((each) => each.title === title);
  return (table?.rows ?? []).map((row) => row.map(({ text }) => text));
}

describe('what is said of an atom at length', () => {
  it('names every single item of its checklist, with what is known of it or that nothing is', () => {
    const own = {
      type: 'atom',
      name: 'A1',
      checks: [
        { item: 'It builds', check: { command: 'make' } },
        {
          item: 'One of them',
          any_of: [
            { item: 'on Linux', check: { file: 'a' } },
            { item: 'on Windows', check: { file: 'b' } },
          ],
        },
      ],
      evidence: [
        {
          item: '1.1',
          word: 'verified',
          exitCode: 0,
          commit: 'a'.repeat(40),
          outputHash: 'b'.repeat(64),
          time: '2026-11-20T10:00:00Z',
          seen: 'ok',
        },
        { item: '7', word: 'reported' },
      ],
    };
    assert.deepEqual(rowsOf(own, 'Evidence'), [
      ['It builds', 'not checked yet', '', '', '', '', '', '', ''],
      ['One of them: on Linux', 'not checked yet', '', '', '', '', '', '', ''],
      ['One of them: on Windows', 'verified', '0', 'aaaaaaaaaa', 'bbbbbbbbbb', '', '', '2026-11-20 10:00', 'ok'],
      ['Item 8', 'reported', '', '', '', '', '', '', ''],
    ]);
  });

  it('says of a person and of votes who and how', () => {
    const own = { type: 'atom', evidence: [{ item: '0', word: 'verified', by: 'me', votes: [4, 3.5] }] };
    assert.deepEqual(rowsOf(own, 'Evidence'), [['Item 1', 'verified', '', '', '', '4, 3.5', 'me', '', '']]);
  });

  it('has nothing to say of what is none of its nodes, and survives anything in node.json', () => {
    for (const own of [undefined, null, 7, 'x', [], { type: 'atom', checks: {}, evidence: 3, tries: [null], work: [] }])
      assert.deepEqual(workGraphDetails.of(own), []);
    const odd = { tries: [{ ended: 'constructor', iteration: {} }], evidence: [{ word: 'toString' }], trail: [{}] };
    assert.deepEqual(rowsOf(odd, 'Tries'), [['', 'under way', '', '']]);
    assert.equal(rowsOf(odd, 'Evidence')[0]?.[1], 'not checked yet');
  });
});
