import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exactMcNemar, pairedOf } from '../../../../src/core/search/paired.ts';
import { effort } from '../../../support/effort.ts';

/** Pairs of which so many only one of the two solves. */
function pairs(wins: number, losses: number, both: number, none: number): [number, number][] {
  const some = (count: number, pair: [number, number]): [number, number][] => Array.from({ length: count }, () => pair);
  return [...some(wins, [1, 0]), ...some(losses, [0, 1]), ...some(both, [1, 1]), ...some(none, [0, 0])];
}

/** The binomial tail, added up from whole numbers. */
function tail(wins: number, losses: number): number {
  const all = wins + losses;
  let sum = 0n;
  let choose = 1n;
  for (let k = 0; k <= Math.min(wins, losses); k++) {
    sum += choose;
    choose = (choose * BigInt(all - k)) / BigInt(k + 1);
  }
  return Math.min(1, 2 * (Number((sum * 10n ** 15n) / 2n ** BigInt(all)) / 1e15));
}

describe('a paired comparison', () => {
  it('gives difference, interval and test as textbooks do', () => {
    const { problems, wins, losses, difference, interval, p } = pairedOf(pairs(15, 5, 60, 20));
    assert.deepEqual([problems, wins, losses], [100, 15, 5]);
    assert.equal(difference.toFixed(3), '0.100');
    assert.deepEqual(
      interval?.map((end) => end.toFixed(4)),
      ['0.0141', '0.1859'],
    );
    assert.equal(p.toFixed(5), '0.04139');
  });

  it('tests exactly, however many pairs there are', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(400), (wins, losses) => {
        assert.ok(Math.abs(exactMcNemar(wins, losses) - tail(wins, losses)) < 1e-9);
      }),
      { numRuns: effort(200) },
    );
    assert.equal(exactMcNemar(0, 0), 1);
    const many = exactMcNemar(5200, 4800);
    assert.ok(many > 6e-5 && many < 7e-5, String(many));
  });

  it('finds nothing where nothing differs, and says no interval', () => {
    const { difference, interval, p } = pairedOf(pairs(0, 0, 3, 4));
    assert.deepEqual([difference, interval, p], [0, undefined, 1]);
  });

  it('counts a problem once, however often it was tried', () => {
    const { wins, losses, difference } = pairedOf([
      [2 / 3, 1 / 3],
      [1 / 3, 1 / 3],
      [0, 1],
    ]);
    assert.deepEqual([wins, losses, difference.toFixed(4)], [1, 1, '-0.2222']);
  });
});
