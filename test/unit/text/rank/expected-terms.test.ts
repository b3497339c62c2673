import assert from 'node:assert/strict';
import { ExpectedTerms } from '../../../../src/text/rank/evidence.ts';

/** By term the passages that have it; all terms are as rare as each other. */
const table = (having: Record<string, number[]>) => ({
  fileOf: new Uint32Array(4),
  passagesWith: (term: string) => Uint32Array.from(having[term] ?? []),
  rarityOf: () => 2,
});
const TERMS = { lease: [0], quorum: [0, 1], leader: [0, 1, 2] };
const of = (...terms: string[]) => ({ likeliness: 1, terms });

describe('what the code of a concern is expected to say', () => {
  it('is all there at best', () => {
    const expected = new ExpectedTerms(table(TERMS), [of('lease', 'quorum', 'leader')]);
    assert.equal(expected.best(0).toFixed(6), '1.000000');
    assert.ok(expected.best(0) > expected.best(1) && expected.best(1) > expected.best(2));
    assert.equal(expected.best(3), 0);
  });

  it('tells more the earlier it is named', () => {
    const expected = new ExpectedTerms(table({ a: [0], b: [1] }), [of('a', 'b')]);
    assert.ok(expected.best(0) > expected.best(1));
  });

  it('is missed where no passage has it', () => {
    const whole = new ExpectedTerms(table(TERMS), [of('lease')]);
    const half = new ExpectedTerms(table(TERMS), [of('lease', 'nowhere')]);
    assert.ok(half.best(0) < whole.best(0));
  });

  it('is heard of the five concerns that fit best, whatever their order', () => {
    const weights = [0.1, 0.9, 0.3, 0.7, 0.5, 0.2];
    const concerns = weights.map((likeliness) => ({ likeliness, terms: ['lease'] }));
    for (const order of [concerns, concerns.toReversed()]) {
      const expected = new ExpectedTerms(table(TERMS), order);
      assert.equal(expected.best(0).toFixed(3), '0.900');
      assert.equal(expected.mean(0).toFixed(3), ((0.9 + 0.7 + 0.5 + 0.3 + 0.2) / 5).toFixed(3));
    }
  });

  it('is nothing without concerns', () => {
    const expected = new ExpectedTerms(table(TERMS), []);
    assert.deepEqual([expected.best(0), expected.mean(0)], [0, 0]);
  });
});
