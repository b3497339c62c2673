import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isThoughtTreeError } from '../../../../../src/core/search/errors.ts';
import { readChildren } from '../../../../../src/kinds/research/answers.ts';
import { effort } from '../../../../support/effort.ts';

const bad = (error: unknown): boolean => isThoughtTreeError(error, 'bad-answer');
const read = (list: unknown, most = 50): ReturnType<typeof readChildren> =>
  readChildren(`Here:\n<output>\n${JSON.stringify(list)}\n</output>`, most);
const titles = (list: unknown, most = 50): string[] => read(list, most).map(({ title }) => title);

describe('the children in an answer', () => {
  it('are read with their scores and reasons, and other keys are ignored', () => {
    assert.deepEqual(read([{ title: 'A', score: 7.5, why: 'Because.', id: 3, path: '../x' }, { title: 'B' }]), [
      { title: 'A', score: 7.5, why: 'Because.' },
      { title: 'B' },
    ]);
  });

  it('may be none', () => assert.deepEqual(read([]), []));

  it('are those of the last block, its fence taken off', () => {
    const answer = 'First <output>[{"title":"a"}]</output>, no:\n<output>\n```json\n[{"title":"b"}]\n```\n</output>';
    assert.deepEqual(readChildren(answer, 50), [{ title: 'b' }]);
  });

  for (const [form, answer] of Object.entries({
    'without a block': '[{"title": "a"}, {"title": "b"}]',
    'with a block that is not closed': '<output>[{"title": "a"}, {"title": "b"}',
    'within an object': '<output>{"children": [{"title": "a"}, "b"]}</output>',
    'as plain texts': "<OUTPUT>['a', 'b',]</OUTPUT>",
  }))
    it(`are read ${form}`, () => assert.deepEqual(readChildren(answer, 9), [{ title: 'a' }, { title: 'b' }]));

  it('may have numbers as titles', () => assert.deepEqual(titles([{ title: 2026 }, { title: 0 }]), ['2026', '0']));

  it('have scores from 0 to 10, and none if none was given', () => {
    const said = [-3, 11, '7', 'high', '8/10', '', ' ', null, -0];
    assert.deepEqual(
      read(said.map((score, i) => ({ title: `t${i}`, score }))).map(({ score }) => score),
      [0, 10, 7, undefined, undefined, undefined, undefined, undefined, 0],
    );
  });

  it('have titles of one line and at most 200 characters', () => {
    const [lines, long] = titles([{ title: ' a\n\u202eb\u001b[0m ' }, { title: 'x'.repeat(10_000) }]);
    assert.equal(lines, 'a b [0m');
    assert.equal(long?.length, 200);
  });

  it('are listed once each, however their titles are written', () => {
    const same = ['Ärger', 'ÄRGER', 'A\u0308rger', ' ärger\n', 'Ärger.', '“Ärger”', 'Ärger –'];
    assert.deepEqual(titles([...same, 'other', '', '  ', '\u200e'].map((title) => ({ title }))), ['Ärger', 'other']);
    const names = ['C', 'C#', 'C++', '???', '!'];
    assert.deepEqual(titles(names.map((title) => ({ title }))), names);
  });

  it('are cut if there are ten thousand', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => ({ title: `Topic ${i}` }));
    assert.deepEqual(titles(many, 3), ['Topic 0', 'Topic 1', 'Topic 2']);
  });

  it('do not come from a prototype', () => {
    const answer = '<output>[{"__proto__": {"title": "x", "polluted": 1}, "constructor": 1, "title": "y"}]</output>';
    assert.deepEqual(readChildren(answer, 50), [{ title: 'y' }]);
    assert.throws(() => readChildren('<output>[{"__proto__": {"title": "x"}}]</output>', 50), bad);
    assert.equal(({} as { polluted?: number }).polluted, undefined);
  });

  for (const [what, answer] of [
    ['prose', '<output>none that I know of</output>'],
    ['an empty block', '<output></output>'],
    ['an object with two lists', '<output>{"children": ["a"], "others": ["b"]}</output>'],
    ['lists in lists', '<output>[[{"title": "a"}]]</output>'],
    ['no title', '<output>[{"name": "a"}]</output>'],
    ['a title of the wrong kind', '<output>[{"title": {"text": "a"}}]</output>'],
    ['null', '<output>null</output>'],
    ['ten thousand wrong ones', `<output>${JSON.stringify(Array(10_000).fill({ titel: 1 }))}</output>`],
    ['brackets without end', `<output>${'['.repeat(500_000)}</output>`],
    ['code', '<output>[{title: process.exit(1)}]</output>'],
  ] as const)
    it(`are refused as ${what}, in few words`, () => {
      assert.throws(
        () => readChildren(answer, 50),
        (error: unknown) => bad(error) && (error as Error).message.length < 700,
      );
    });

  it('of any answer are good or refused', () => {
    const key = fc.constantFrom('title', 'score', 'why', '__proto__', 'x');
    const list = fc.array(fc.oneof(fc.dictionary(key, fc.jsonValue()), fc.jsonValue()));
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 5 }), (said, most) => {
        try {
          const children = read(said, most);
          assert.ok(children.length <= most);
          for (const { title, score = 0, why = '' } of children) {
            assert.ok(title !== '' && !/[\p{Cc}]/u.test(title + why));
            assert.ok(score >= 0 && score <= 10);
          }
          assert.equal(new Set(children.map(({ title }) => title.toLowerCase())).size, children.length);
          assert.deepEqual(read(children, most), children);
        } catch (error) {
          assert.ok(bad(error), String(error));
        }
      }),
      { numRuns: effort(500) },
    );
  });
});
