import assert from 'node:assert/strict';
import fc from 'fast-check';
import { oneLine, utf8Length } from '../../../../src/core/text/text.ts';
import { effort } from '../../../support/effort.ts';

// Half characters are what a plain random text seldom holds.
const half = fc.constantFrom('\ud800', '\udbff', '\udc00', '\udfff', 'é', '为', '😀', 'a');
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: half }));

describe('one line of a text', () => {
  it('is the text, its white space made single', () => {
    assert.equal(oneLine('  one\n\ttwo \u2028 three ', 100), 'one two three');
  });

  it('is cut at its longest, with a mark', () => {
    assert.equal(oneLine('abcdef', 6), 'abcdef');
    assert.equal(oneLine('abcdefg', 6), 'abcde…');
    assert.equal(oneLine('😀'.repeat(9), 3), '😀😀…');
    assert.equal(oneLine(`cat a.txt ${' '.repeat(1000)}; rm -r b`, 100), 'cat a.txt…');
    assert.equal(oneLine(`cat a.txt ${' '.repeat(1000)}`, 100), 'cat a.txt');
  });

  it('has no sequences that move a terminal’s cursor', () => {
    assert.equal(oneLine('\u001b[2J\u001b]0;title\u0007\u009b31mred', 100), '[2J ]0;title 31mred');
  });

  it('has no marks that change the direction of writing', () => {
    const turning = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
    for (const mark of turning) assert.equal(oneLine(`a${mark}b`, 10), 'a b');
  });

  it('keeps the joiners that some scripts are written with', () => {
    assert.equal(oneLine('می\u200cخواهم', 20), 'می\u200cخواهم');
  });

  it('of any text is one clean line, and the line of itself', () => {
    const noisy = fc.oneof(
      anyText,
      fc.string({ unit: fc.constantFrom('\u001b', '\u202e', '\n', '\u0085', 'x', '\ud800') }),
    );
    fc.assert(
      fc.property(noisy, fc.integer({ min: 1, max: 50 }), (text, longest) => {
        const line = oneLine(text, longest);
        assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
        assert.ok([...line].length <= longest);
        assert.equal(line, line.trim());
        assert.ok(line.isWellFormed());
        assert.equal(oneLine(line, longest), line);
      }),
      { numRuns: effort(500) },
    );
  });
});

describe('the length of a text in UTF-8', () => {
  it('is that of its bytes', () => {
    fc.assert(
      fc.property(anyText, (text) => assert.equal(utf8Length(text), Buffer.byteLength(text))),
      { numRuns: effort(1000) },
    );
  });

  it('is not too short for half a character before a long one', () => {
    assert.equal(utf8Length('\ud800中'), 6);
  });
});
