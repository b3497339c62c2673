import assert from 'node:assert/strict';
import { growsLinearly } from '../support/grows-linearly.ts';

/** Does something so often that it takes much more than what is not measured. */
function work(times: number): number {
  let sum = 0;
  for (let i = 0; i < times; i++) sum = Math.imul(sum ^ i, 16777619);
  return sum;
}

describe('what guards against slow patterns', () => {
  it('lets pass what follows its input, and what takes next to nothing', async () => {
    await growsLinearly('in proportion', 1e8, (size) => size, work);
    await growsLinearly('next to nothing', 1e3, (size) => size ** 2, work);
  });

  it('refuses what takes four times as much for twice the input', async () => {
    const squared = growsLinearly('a square', 1e4, (size) => size ** 2, work);
    await assert.rejects(squared, /^AssertionError.*a square: 10000 took [3-9]\.\d times/s);
  });
});
