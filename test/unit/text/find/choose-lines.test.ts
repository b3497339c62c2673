import assert from 'node:assert/strict';
import type { Passage } from '../../../../src/text/chunk/chunk-file.ts';
import { type Choice, chooseLines } from '../../../../src/text/find/choose-lines.ts';

/** A passage that is all of a file, whose line `head()` is its head; lines with `#` are comments. */
function chosen(lines: readonly string[], choice: Partial<Choice> = {}): readonly string[] | undefined {
  const file = { path: 'a.py', role: 'source' as const, language: undefined, lines, secrets: 0 };
  const head = Math.max(0, lines.indexOf('head()'));
  const passage: Passage = {
    kind: 'function',
    name: 'a',
    id: 0,
    file,
    start: 0,
    head,
    end: lines.length - 1,
    inner: [],
  };
  const isComment = (row: number): boolean => lines[row]?.startsWith('#') ?? false;
  const found = chooseLines(passage, { weigh: () => 1, taken: () => false, isComment, ...choice });
  return found && lines.slice(found.start, found.end + 1);
}

describe('choosing the lines of a passage', () => {
  const comment = ['# one', '# two', '# three'];

  it('begins no quotation in the middle of a comment', () => {
    const lines = [...comment, 'head()', 'body()', 'end()'];
    assert.deepEqual(chosen(lines, { around: 3, most: 3 }), ['head()', 'body()', 'end()']);
    assert.deepEqual(chosen(['# one', 'head()', 'body()'], { around: 1, most: 3 }), ['# one', 'head()', 'body()']);
    const weigh = (row: number): number => (row < 3 ? 9 : 1);
    assert.deepEqual(chosen(lines, { weigh, most: 2 }), ['# one', '# two'], 'a comment from its beginning is one');
  });

  it('ends none in one', () => {
    assert.deepEqual(chosen(['head()', ...comment, 'body()'], { around: 0, most: 3 }), ['head()']);
    assert.deepEqual(chosen(['head()', '# one', 'body()'], { around: 0, most: 2 }), ['head()', '# one']);
  });

  it('quotes no line without a word', () => {
    assert.equal(chosen(['```', '```']), undefined);
    assert.deepEqual(chosen(['```', 'a', '```']), ['```', 'a', '```']);
  });
});
