import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isThoughtTreeError } from '../../../../../src/core/search/errors.ts';
import { type Ranking, readRanking } from '../../../../../src/kinds/research/answers.ts';
import { effort } from '../../../../support/effort.ts';

const known = ['a', 'a/b', 'c-d/e', '为什么/构建', '2-plus', 'йод'.normalize('NFD')];
const whole = (lines: string, limit = 9): Ranking => readRanking(`Well.\n<output>\n${lines}\n</output>`, known, limit);
const read = (lines: string, limit = 9): readonly string[] => whole(lines, limit).order;
const bad = (error: unknown): boolean => isThoughtTreeError(error, 'bad-answer');

describe('the ranking in an answer', () => {
  it('is its paths, in its order', () => assert.deepEqual(read('c-d/e\na\na/b'), ['c-d/e', 'a', 'a/b']));
  it('names each path once', () => assert.deepEqual(read('a\na/b\na'), ['a', 'a/b']));
  it('names candidates only', () => assert.deepEqual(read('x\n../a\na/b/\nA\na'), ['a']));
  it('is cut at its limit', () => assert.deepEqual(read('a\na/b\nc-d/e', 2), ['a', 'a/b']));

  for (const [line, order] of [
    ['order: 3, 1', ['c-d/e', 'a']],
    ['3\n1', ['c-d/e', 'a']],
    ['1. 3\n2. 1', ['a', 'c-d/e', 'a/b']],
    ['[2], [9], 0', ['a/b']],
    ['**Order:** 2', ['a/b']],
    ['order: a/b, 1', ['a/b', 'a']],
  ] as const)
    it(`is read by numbers: ${JSON.stringify(line)}`, () => assert.deepEqual(read(line), order));

  it('says what is dropped, and what repeats another', () => {
    assert.deepEqual(whole('order: 1, 2\ndrop: 3, 1\nsame: 2 = 1, 4 = 1, 5 = 5'), {
      order: ['a'],
      dropped: ['c-d/e'],
      same: [
        ['a/b', 'a'],
        ['为什么/构建', 'a'],
      ],
    });
    assert.deepEqual(whole('drop: 1, 2'), { order: [], dropped: ['a', 'a/b'], same: [] });
  });

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
    assert.deepEqual(readRanking('<output>a</output><output>\n```\na/b\n```\n</output>', known, 9).order, ['a/b']);
  });

  for (const answer of [
    'Nothing of use: neither a nor b.',
    '<output></output>',
    '<output>nothing of use</output>',
    '<output>__proto__</output>',
  ])
    it(`is refused if it names none: ${answer}`, () => assert.throws(() => readRanking(answer, known, 9), bad));

  for (const answer of ['<output>\na\na/b', 'I would take these 2:\n\n1. `a`\n2. a/b\n\nI hope this helps.'])
    it(`may stand alone on its lines: ${JSON.stringify(answer)}`, () =>
      assert.deepEqual(readRanking(answer, known, 9).order, ['a', 'a/b']));

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
          assert.ok(ranking.length <= limit);
          assert.equal(new Set(ranking).size, ranking.length);
          assert.ok(ranking.every((path) => known.includes(path)));
        } catch (error) {
          assert.ok(bad(error), String(error));
        }
      }),
      { numRuns: effort(300) },
    );
  });
});
