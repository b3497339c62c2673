import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Beside, Rankings } from '../../../../src/core/search/rankings.ts';

const beside = (nth: number, kept = 4): Beside => ({ nth, kept });

describe('rankings that hold', () => {
  it('are the last one, if each was asked for alone', () => {
    const rankings = new Rankings<string>();
    rankings.add(['a', 'b']);
    rankings.add(['c', 'a']);
    assert.deepEqual(rankings.all, ['c', 'a']);
  });

  it('take turns if they were asked for side by side, the latest first', () => {
    const rankings = new Rankings<string>();
    rankings.add(['a1', 'a2', 'a3'], beside(1));
    rankings.add(['b1', 'b2'], beside(2));
    assert.deepEqual(rankings.all, ['b1', 'a1', 'b2', 'a2', 'a3']);
  });

  it('have the same order whichever comes first', () => {
    const lists = fc.array(fc.array(fc.nat(30), { maxLength: 8 }), { maxLength: 9 });
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 12 }), fc.infiniteStream(fc.nat()), (all, kept, chance) => {
        const inOrder = new Rankings<number>();
        const anyOrder = new Rankings<number>();
        const asked = all.map((names, index) => ({ names, place: beside(index + 1, kept) }));
        for (const { names, place } of asked) inOrder.add(names, place);
        const shuffled = asked
          .map((each) => ({ each, key: chance.next().value as number }))
          .sort((a, b) => a.key - b.key);
        for (const { each } of shuffled) anyOrder.add(each.names, each.place);
        assert.deepEqual(anyOrder.all, inOrder.all);
        assert.equal(new Set(inOrder.all).size, inOrder.all.length);
      }),
    );
  });

  it('are no more than hold at a time: one that comes too late is outdated', () => {
    const rankings = new Rankings<string>();
    rankings.add(['before']);
    for (const nth of [2, 3, 4]) rankings.add([`n${nth}`], beside(nth, 2));
    rankings.add(['n1'], beside(1, 2));
    assert.deepEqual(rankings.all, ['n4', 'n3']);
  });

  it('become one when a run begins, and those of the next are counted anew', () => {
    const rankings = new Rankings<string>();
    rankings.add(['a', 'b'], beside(8));
    rankings.add(['c', 'd'], beside(9));
    rankings.settle();
    assert.deepEqual(rankings.all, ['c', 'a', 'd', 'b']);
    rankings.add(['e'], beside(1));
    assert.deepEqual(rankings.all, ['e', 'c', 'a', 'd', 'b']);
  });

  it('follow names that change', () => {
    const rankings = new Rankings<string>();
    rankings.add(['x']);
    rankings.add(['a'], beside(1));
    assert.deepEqual(rankings.all, ['a', 'x']);
    rankings.rename((name) => `${name}/moved`);
    assert.deepEqual(rankings.all, ['a/moved', 'x/moved']);
  });
});
