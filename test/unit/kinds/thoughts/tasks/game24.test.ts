import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isThoughtTreeError } from '../../../../../src/core/search/errors.ts';
import { game24 } from '../../../../../src/kinds/thoughts/tasks/game24.ts';
import type { ThoughtPath, Verdict } from '../../../../../src/kinds/thoughts/tasks/task.ts';
import { effort } from '../../../../support/effort.ts';
import { canMake24, keyOf, type Numbers, nextOf, whole } from '../../../../support/game24/game24-solver.ts';
import { stepText } from '../../../../support/game24/game24-writing.ts';

const never = new AbortController().signal;
const pathOf = (problem: string, ...lines: string[]): ThoughtPath => ({
  problem,
  thoughts: lines.map((content) => ({ content })),
});
const verify = (path: ThoughtPath): Verdict => game24.verify?.(path, never) as Verdict;
const whyNot = (...lines: string[]): string => {
  const verdict = verify(pathOf('4 9 10 13', ...lines));
  assert.ok(!verdict.ok, `${lines.at(-1)} was taken`);
  return verdict.why;
};
/** Problems as they are, and any other four numbers. */
const puzzle = fc.array(fc.integer({ min: 1, max: 13 }), { minLength: 4, maxLength: 4 });
const choices = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 6, maxLength: 6 });

/** Any three right steps, by choices. */
function randomSteps(numbers: Numbers, chosen: readonly number[]): { lines: string[]; end: string } {
  const lines: string[] = [];
  let at = numbers;
  for (let step = 0; step < 3; step++) {
    const nexts = nextOf(at);
    const next = nexts[Math.floor((chosen[2 * step] as number) * nexts.length)];
    assert.ok(next);
    const joining = next.joinings[Math.floor((chosen[2 * step + 1] as number) * next.joinings.length)];
    assert.ok(joining);
    lines.push(stepText(joining, next.numbers));
    at = next.numbers;
  }
  return { lines, end: keyOf(at) };
}

describe('the Game of 24', () => {
  describe('its problem', () => {
    for (const text of [
      '4 9 10 13',
      ' 4, 9,10,  13 ',
      '用 4, 9, 10, 13 得到 24',
      'Use 4, 9, 10 and 13 to make 24.',
      'Make 24 from 4 9 10 13',
      '４ ９ １０ １３',
    ])
      it(`is read from: ${text}`, () => {
        assert.equal(game24.start?.(text), '4 9 10 13');
      });

    for (const text of [
      '',
      '4 9 10',
      '4 9 10 13 2',
      '4 9 10 13 24',
      '1 2 3 4 or 5 6 7 8',
      '4.5 9 10 13',
      '-4 9 1000 13',
    ])
      it(`is asked for again where it is: ${text}`, () => {
        assert.throws(
          () => game24.start?.(text),
          (error) => isThoughtTreeError(error, 'bad-input') && error.message.includes('"4 9 10 13"'),
        );
      });
  });

  describe('a step', () => {
    for (const line of [
      '13 - 9 = 4 (left: 4 4 10)',
      '13-9=4, 剩余4,4,10',
      '13 − 9 = 4 (Left: 10, 4, 4)',
      '13 – 9 = 4 [remaining: 4 4 and 10].',
      '1. 13 - 9 = 4 (left: 4 4 10)',
      '- 13 - 9 = 4; left 4 4 10',
      '(13 - 9) = 4 (numbers left: 4, 4, 10)',
      '９ × ４ = ３６ （left：10 13 36）',
      '9 x 4 = 36 (left: 10 13 36)',
      '9·4=36 left: 10 13 36',
      '10 ÷ 4 = 2.5 (left: 2.5 9 13)',
      '10 / 4 = 5/2 (left: 5/2 9 13)',
      '10 / 9 = 1.1111 (left: 1.1111 4 13)',
      '4 / 9 = 0.44444 (left: 0.4444 10 13)',
      '4 - 9 = -5 (left: -5 10 13)',
      '4 - 9 = (-5) (left: (-5) 10 13)',
    ])
      it(`is right as: ${line}`, () => {
        assert.deepEqual(verify(pathOf('4 9 10 13', line)), { ok: true });
      });

    it('continues from a number that could only be written in part', () => {
      const path = pathOf(
        '4 9 10 13',
        '10 / 9 = 1.1111 (left: 1.1111 4 13)',
        '1.1111 * 13 = 14.4444 (left: 4 14.4444)',
      );
      assert.deepEqual(verify(path), { ok: true });
      assert.equal(game24.state?.(path), '4 130/9');
      assert.deepEqual(verify(pathOf('1 2 3 8', '1/3 = 0.3333 (left: 0.3333 2 8)', '8/1/3 = 24 (left: 2 24)')), {
        ok: true,
      });
    });

    it('need not say what is left where nothing but the result is', () => {
      const last = ['13-9=4, 剩余4,4,10', '10-4=6, 剩余4,6', '6×4=24'];
      assert.deepEqual(verify(pathOf('4 9 10 13', ...last)), { ok: true });
      assert.match(whyNot('13 - 9 = 4'), /Say what is left.*4 4 10/);
    });

    it('is told what is wrong with it', () => {
      assert.equal(whyNot('13 - 9 = 5 (left: 4 5 10)'), '13 - 9 is 4, not 5.');
      assert.equal(whyNot('13 - 9 = 4 (left: 4 10)'), 'After this step 4 4 10 is left, not 4 10.');
      assert.match(whyNot('13 - 8 = 5 (left: 4 5 10)'), /needs 8, which is not left.*4 9 10 13/);
      assert.match(whyNot('9 + 9 = 18 (left: 4 10 13 18)'), /needs 9 twice/);
      assert.match(whyNot('10 / 9 = 1.11 (left: 1.11 4 13)'), /10 \/ 9 is 10\/9/);
      assert.match(whyNot('13 - 9 = 5 (left: 4 5 10)', '5 + 10 = 15 (left: 4 15)'), /An earlier step is wrong/);
      assert.match(
        whyNot('13 - 9 = 4 (left: 4 4 10)', '10 - 4 = 6 (left: 4 6)', '6 * 4 = 24', '24 * 1 = 24'),
        /one number/,
      );
      assert.match(whyNot('13 - 13 = 0 (left: 0 4 9 10)'), /twice/);
      assert.match(whyNot('4 * 9 = 36 = 36 (left: 10 13 36)'), /one step on one line/);
    });

    it('never divides by 0', () => {
      const verdict = verify(pathOf('4 4 10 13', '4 - 4 = 0 (left: 0 10 13)', '10 / 0 = 0 (left: 0 13)'));
      assert.deepEqual(verdict, { ok: false, why: 'Nothing can be divided by 0.' });
    });

    it('may be any text at all: it is refused, in a line, at once', () => {
      const piece = fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(...'0123456789 +-*/=(),.:left剩余', '9'.repeat(999)),
      );
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
          const verdict = verify(pathOf('4 9 10 13', pieces.join('')));
          if (verdict.ok) return;
          assert.ok(verdict.why.length < 800 && !verdict.why.includes('\n'), verdict.why);
        }),
      );
    });

    it('is right for whatever is calculated rightly, and wrong with another result', () => {
      fc.assert(
        fc.property(puzzle, choices, fc.integer({ min: 1, max: 9 }), (numbers, chosen, off) => {
          const problem = numbers.join(' ');
          const { lines, end } = randomSteps(whole(numbers), chosen);
          for (let n = 1; n <= 3; n++) assert.deepEqual(verify(pathOf(problem, ...lines.slice(0, n))), { ok: true });
          const path = pathOf(problem, ...lines);
          assert.equal(game24.state?.(path), end);
          assert.equal(game24.solved?.(path, never), end === '24');
          const [first, ...rest] = lines as [string, ...string[]];
          const wrong = first.replace(/= (-?\d+)(?=[ .])/, (_, n: string) => `= ${Number(n) + off}`);
          if (wrong !== first) assert.equal(verify(pathOf(problem, wrong, ...rest)).ok, false);
        }),
      );
    });
  });

  describe('its states', () => {
    it('are the numbers left, in whatever order they were reached', () => {
      const one = pathOf('4 9 10 13', '13 - 9 = 4 (left: 4 4 10)', '10 - 4 = 6 (left: 4 6)');
      const other = pathOf('4 9 10 13', '10 - 4 = 6 (left: 6 9 13)', '13 - 9 = 4 (left: 6 4)');
      assert.equal(game24.state?.(one), '4 6');
      assert.equal(game24.state?.(other), '4 6');
    });

    it('are not told of a step that is wrong', () => {
      assert.equal(game24.state?.(pathOf('4 9 10 13', '13 - 9 = 6 (left: 4 6 10)')), undefined);
      assert.equal(game24.solved?.(pathOf('4 9 10 13', '13 + 9 = 24 (left: 4 10 24)'), never), false);
      assert.equal(
        game24.solved?.(pathOf('1 1 2 24', '1 - 1 = 0 (left: 0 2 24)', '0 / 2 = 0 (left: 0 24)'), never),
        false,
      );
    });

    it('that are equal can reach the same', () => {
      fc.assert(
        fc.property(puzzle, choices, (numbers, chosen) => {
          const { lines } = randomSteps(whole(numbers), chosen);
          const state = game24.state?.(pathOf(numbers.join(' '), ...lines.slice(0, 2)));
          const again = nextOf(whole(numbers)).flatMap(({ numbers: left }) => nextOf(left));
          assert.ok(again.some(({ numbers: left }) => keyOf(left) === state));
        }),
        { numRuns: effort(30) },
      );
    });
  });

  describe('its answer', () => {
    it('is one line', () => {
      const path = pathOf('4 9 10 13', '13-9=4, 剩余4,4,10', '10-4=6, 剩余4,6', '6×4=24');
      assert.equal(game24.compose?.(path), '(10 - 4) * (13 - 9) = 24');
    });

    for (const [problem, lines, answer] of [
      ['1 2 3 4', ['1 * 2 = 2 (left: 2 3 4)', '2 * 3 = 6 (left: 4 6)', '6 * 4 = 24'], '1 * 2 * 3 * 4 = 24'],
      ['1 3 8 9', ['9 - 8 = 1 (left: 1 1 3)', '1 + 1 = 2 (left: 2 3)'], undefined],
      [
        '1 5 5 5',
        ['1 / 5 = 0.2 (left: 0.2 5 5)', '5 - 0.2 = 4.8 (left: 4.8 5)', '4.8 * 5 = 24'],
        '(5 - 1 / 5) * 5 = 24',
      ],
      [
        '3 3 8 8',
        ['8 / 3 = 2.6667 (left: 2.6667 3 8)', '3 - 2.6667 = 0.3333 (left: 0.3333 8)', '8 / 0.3333 = 24'],
        '8 / (3 - 8 / 3) = 24',
      ],
      [
        '1 2 12 13',
        ['13 - 2 = 11 (left: 1 11 12)', '12 + 11 = 23 (left: 1 23)', '23 + 1 = 24'],
        '12 + 13 - 2 + 1 = 24',
      ],
      ['1 2 9 32', ['9 - 2 = 7 (left: 1 7 32)', '7 + 1 = 8 (left: 8 32)', '32 - 8 = 24'], '32 - (9 - 2 + 1) = 24'],
    ] as const)
      it(`to ${problem} has no parentheses but those it needs: ${answer ?? 'none'}`, () => {
        assert.equal(game24.compose?.(pathOf(problem, ...lines)), answer);
      });

    it('comes to 24 exactly and uses each number once', () => {
      let found = 0;
      fc.assert(
        fc.property(puzzle, choices, (numbers, chosen) => {
          const lines = solution(whole(numbers), chosen);
          if (!lines) return;
          found++;
          const answer = game24.compose?.(pathOf(numbers.join(' '), ...lines)) as string;
          const [expression = '', result] = answer.split(' = ');
          assert.equal(result, '24');
          assert.match(expression, /^[\d+*/() -]+$/);
          const used = (expression.match(/\d+/g) ?? []).map(Number);
          assert.deepEqual(
            used.sort((a, b) => a - b),
            [...numbers].sort((a, b) => a - b),
          );
          assert.ok(Math.abs((new Function(`return ${expression}`)() as number) - 24) < 1e-9, answer);
        }),
        { numRuns: effort(200) },
      );
      assert.ok(found > effort(50), `only ${found} problems had an answer`);
    });
  });

  it('takes the problem apart without a model', () => {
    assert.equal(game24.decomposition?.('4 9 10 13').depth_estimate, 3);
  });
});

/** Some right steps to 24, where there are any. */
function solution(numbers: Numbers, chosen: readonly number[]): string[] | undefined {
  const lines: string[] = [];
  for (let at = numbers; at.length > 1; ) {
    const good = nextOf(at).filter((next) => canMake24(next.numbers));
    const next = good[Math.floor((chosen[lines.length] as number) * good.length)];
    if (!next) return undefined;
    lines.push(stepText(next.joinings[0] as (typeof next.joinings)[number], next.numbers));
    at = next.numbers;
  }
  return lines;
}
