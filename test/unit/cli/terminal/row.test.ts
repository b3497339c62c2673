import assert from 'node:assert/strict';
import fc from 'fast-check';
import { clip, pad, renderRow, widthOf } from '../../../../src/cli/terminal/terminal.ts';
import { oneLine } from '../../../../src/core/text/text.ts';
import { PLAIN, WORDS } from '../rows/sample-tree.ts';

describe('a row of the terminal', () => {
  it('is cut to columns, not to characters', () => {
    assert.equal(clip('abcdef', 6), 'abcdef');
    assert.equal(clip('abcdef', 5), 'abcd…');
    assert.equal(clip('为什么构建这么慢', 16), '为什么构建这么慢');
    assert.equal(clip('为什么构建这么慢', 8), '为什么…');
    assert.equal(clip('为什么构建这么慢', 9), '为什么构…');
    assert.equal(clip('👩‍👩‍👧‍👦 family', 4), '👩‍👩‍👧‍👦…');
    assert.equal(clip('e\u0301e\u0301e\u0301', 2), 'e\u0301…');
    assert.equal(clip('abc', 1), '…');
    assert.equal(clip('abc', 0), '');
  });

  it('is padded to columns', () => {
    assert.equal(pad('慢', 4), '慢  ');
    assert.equal(pad('abcdef', 4), 'abc…');
  });

  it('cuts what is flexible first, and colours only what is left', () => {
    const row = [
      { text: '✓', style: 'green' },
      { text: ' ' },
      { text: 'A rather long title', flexible: true },
      { text: ' 7.5', style: 'yellow' },
    ] as const;
    assert.equal(renderRow(row, 80, WORDS), '<g ✓> A rather long title<y  7.5>');
    assert.equal(renderRow(row, 18, WORDS), '<g ✓> A rather lo…<y  7.5>');
    assert.equal(renderRow(row, 12, WORDS), '<g ✓> A rathe…<y …>');
    assert.equal(renderRow(row, 1, WORDS), '<g …>');
  });

  it('gives the terminal no commands', () => {
    const row = [{ text: 'A\u001b[2J\u009b31m\u202eB\tC', style: 'bold' }] as const;
    assert.equal(renderRow(row, 80, PLAIN), 'A [2J 31m B\tC');
  });

  it('never is wider than asked, whatever a model wrote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.nat(60), (a, b, columns) => {
        const row = [{ text: oneLine(a, 200), flexible: true }, { text: oneLine(b, 200) }];
        const text = renderRow(row, columns, PLAIN);
        assert.ok(widthOf(text) <= columns, `${widthOf(text)} > ${columns}`);
        assert.doesNotMatch(text, /\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});
