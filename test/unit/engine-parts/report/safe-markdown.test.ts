import assert from 'node:assert/strict';
import { plainLine } from '../../../../src/engine-parts/report/safe-markdown.ts';

describe('a title or summary as one line', () => {
  it('keeps code with backticks in it', () => {
    assert.equal(plainLine('line 1: ``return `a{b}`;``; and `c`', 100), 'line 1: ``return `a{b}`;``; and `c`');
  });

  it('escapes backticks that make no code', () => {
    assert.equal(plainLine('a ` b `` c', 100), 'a \\` b \\`\\` c');
    assert.equal(plainLine('```` a ````', 100), '\\`\\`\\`\\` a \\`\\`\\`\\`');
  });
});
