import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isThoughtTreeError } from '../../../../../src/core/search/errors.ts';
import { readRanking } from '../../../../../src/kinds/research/answers/ranking-answer.ts';

const known = new Set(['a', 'a/b', 'c-d/e', '为什么/构建', '2-plus', 'йод'.normalize('NFD')]);
const read = (lines: string, limit = 9): string[] => readRanking(`Well.\n<output>\n${lines}\n</output>`, known, limit);
const bad = (error: unknown): boolean => isThoughtTreeError(error, 'bad-answer');

describe('the ranking in an answer', () => {
  it('is its paths, in its order', () => assert.deepEqual(read('c-d/e\na\na/b'), ['c-d/e', 'a', 'a/b']));
  it('names each path once', () => assert.deepEqual(read('a\na/b\na'), ['a', 'a/b']));
  it('names candidates only', () => assert.deepEqual(read('x\n../a\na/b/\nA\na'), ['a']));
  it('is cut at its limit', () => assert.deepEqual(read('a\na/b\nc-d/e', 2), ['a', 'a/b']));

  for (const line of [
    '- a/b',
    '* a/b',
    '+ a/b',
    '1. a/b',
    '12) a/b',
    '`a/b`',
    '"a/b",',
    "- 'a/b'",
    '  a/b\r',
    '- `a/b`,',
  ])
    it(`takes marks off: ${JSON.stringify(line)}`, () => assert.deepEqual(read(line), ['a/b']));

  it('keeps a number that belongs to the path', () => assert.deepEqual(read('2-plus'), ['2-plus']));
  it('may be in any script', () => assert.deepEqual(read('为什么/构建'), ['为什么/构建']));
  it('finds a path written in another normal form, as it is on disk', () => {
    assert.deepEqual(read('йод'.normalize('NFC')), ['йод'.normalize('NFD')]);
  });

  it('is that of the last block, its fence taken off', () => {
    assert.deepEqual(readRanking('<output>a</output><output>\n```\na/b\n```\n</output>', known, 9), ['a/b']);
  });

  for (const answer of [
    'a',
    '<output></output>',
    '<output>nothing of use</output>',
    '<output>a',
    '<output>__proto__</output>',
  ])
    it(`is refused if it names none: ${answer}`, () => assert.throws(() => readRanking(answer, known, 9), bad));

  it('takes no time for long lines of marks', () => {
    // At the square of its length this would outlast the test's time many times over.
    assert.deepEqual(read(`x${'"'.repeat(900_000)}x\na`), ['a']);
  });

  it('of any answer holds candidates alone, each once, or is refused', () => {
    const line = fc.oneof(
      fc.constantFrom(...known),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('- ', '```', '</output>'),
    );
    fc.assert(
      fc.property(fc.array(line), fc.integer({ min: 1, max: 4 }), (lines, limit) => {
        try {
          const ranking = read(lines.join('\n'), limit);
          assert.ok(ranking.length >= 1 && ranking.length <= limit);
          assert.equal(new Set(ranking).size, ranking.length);
          assert.ok(ranking.every((path) => known.has(path)));
        } catch (error) {
          assert.ok(bad(error), String(error));
        }
      }),
      { numRuns: 300 },
    );
  });
});
