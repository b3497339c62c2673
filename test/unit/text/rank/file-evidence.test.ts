import assert from 'node:assert/strict';
import { withOthersOfFile } from '../../../../src/text/rank/passage-search.ts';

const near = (file: string, learnt: number): { file: string; learnt: number } => ({ file, learnt });
const scored = (...ranked: { file: string; learnt: number }[]): number[] =>
  withOthersOfFile(ranked, ({ file }) => file).map(({ learnt }) => Number(learnt.toFixed(3)));

describe('what other places of a file say', () => {
  it('lifts the best place of a file with several good ones over a single better one', () => {
    const [alone, best, second] = scored(near('alone.ts', 3), near('several.ts', 2.8), near('several.ts', 2.7));
    assert.ok((best ?? 0) > (alone ?? 0));
    assert.equal(second, 2.7);
  });

  it('adds likelihoods: two places as good as each other are twice as likely', () => {
    assert.deepEqual(scored(near('a.ts', 1), near('a.ts', 1)), [Number((1 + Math.log(2)).toFixed(3)), 1]);
  });

  it('hears three places at most, so that a long file gains nothing by its length', () => {
    const of = (count: number): number | undefined =>
      scored(...Array.from({ length: count }, () => near('a.ts', 0)))[0];
    assert.equal(of(3), of(30));
  });

  it('changes nothing where each file has one place', () => {
    assert.deepEqual(scored(near('a.ts', 2), near('b.ts', 1)), [2, 1]);
    assert.deepEqual(scored(), []);
  });
});
