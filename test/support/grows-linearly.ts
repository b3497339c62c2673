import assert from 'node:assert/strict';

/** Less than this, in milliseconds of processor time, is nothing to be measured: noise, and no trouble for anybody. */
const NOISE = 50;
const MOST_RATIO = 2.5;
const MOST_TRIES = 20;

/**
 * Asserts that work follows its input: twice the input takes at most two and a half times the processor time. What takes
 * next to none at its full size passes at once, so `size` is to be the largest input that matters.
 * @param make makes an input of a size; it is not measured
 */
export async function growsLinearly<T>(
  what: string,
  size: number,
  make: (size: number) => T | Promise<T>,
  run: (input: T) => unknown,
): Promise<void> {
  const input = { half: await make(Math.floor(size / 2)), whole: await make(size) };
  // Half of it is measured after the whole, too: measured before its code is compiled, it would excuse the whole.
  const least = { half: await workOf(run, input.half), whole: Number.POSITIVE_INFINITY };
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    for (const part of ['whole', 'half'] as const) least[part] = Math.min(least[part], await workOf(run, input[part]));
    if (least.whole < NOISE || least.whole <= MOST_RATIO * least.half) return;
  }
  const ratio = (least.whole / least.half).toFixed(1);
  assert.fail(`${what}: ${size} took ${ratio} times the work of half of it, ${Math.round(least.whole)} ms`);
}

/** Returns how many milliseconds of processor time something takes, of this process and whatever else is busy. */
async function workOf<T>(run: (input: T) => unknown, input: T): Promise<number> {
  const begun = process.cpuUsage();
  await run(input);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
