import assert from 'node:assert/strict';
import { EFFORT, effort, forEverySeed, someOf, someUpTo } from '../support/effort.ts';

describe('the effort of tests', () => {
  it('scales a number, and leaves a few', () => {
    assert.equal(effort(10_000), 1000 * EFFORT);
    assert.ok(effort(5) >= 3);
    assert.equal(effort(2), Math.max(2, Math.round((2 * EFFORT) / 10)));
    assert.equal(effort(10, 1), EFFORT);
  });

  it('takes some of a list, in order, spread over all of it; all at full effort', () => {
    const all = Array.from({ length: 1000 }, (_, at) => at);
    const some = someOf(all);
    assert.equal(some.length, Math.min(1000, 100 * EFFORT));
    assert.deepEqual(
      some,
      some.toSorted((a, b) => a - b),
    );
    // One that lies on the bound of two stretches may be drawn for both where they are not whole.
    if (1000 % some.length === 0) assert.equal(new Set(some).size, some.length);
    assert.ok((some[0] as number) < 10 && (some.at(-1) as number) >= 990);
    assert.equal(new Set(some.map((each) => each % 2)).size, 2);
    assert.deepEqual(someUpTo(3), [1, 2, 3]);
  });

  it('tells the seed of what failed', async () => {
    const seen: number[] = [];
    const failing = forEverySeed(100, (seed) => {
      seen.push(seed);
      if (seed === 2) throw new Error('no');
    });
    await assert.rejects(failing, /^Error: seed 2: no$/);
    assert.deepEqual(seen, [1, 2]);
  });
});
