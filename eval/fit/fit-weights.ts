import { FEATURES } from '../../src/text/rank/passage-features.ts';
import type { Example } from './examples.ts';

const SIZE = FEATURES.length;
const STEPS = 250;
const RATE = 0.05;
/** A feature that hardly varies must not get a huge weight for it. */
const LEAST_SPREAD = 0.05;

/** How to fit. */
export interface Fitting {
  /** By feature; see `spreadOf`. */
  readonly spread: Float64Array;
  /** By feature: how much a weight that differs from `prior`, measured by the feature's spread, costs; infinite: it may not. */
  readonly strictness: Float64Array;
  readonly prior: Float64Array;
}

/** By feature: how much it varies among the candidates of a question. */
export function spreadOf(examples: readonly Example[]): Float64Array {
  const squares = new Float64Array(SIZE);
  let count = 0;
  for (const { candidates } of examples) {
    count += candidates.length;
    for (let at = 0; at < SIZE; at++) {
      const mean =
        candidates.reduce((sum, { features }) => sum + (features[at] ?? 0), 0) / Math.max(1, candidates.length);
      for (const { features } of candidates) squares[at] = (squares[at] ?? 0) + ((features[at] ?? 0) - mean) ** 2;
    }
  }
  return squares.map((sum) => Math.max(LEAST_SPREAD, Math.sqrt(sum / Math.max(1, count))));
}

/**
 * The weights that make right passages most likely to be first, if each is first with a chance that grows
 * exponentially with its score. Deterministic.
 */
export function fitWeights(examples: readonly Example[], { spread, strictness, prior }: Fitting): Float64Array {
  const start = prior.map((weight, at) => weight * (spread[at] ?? 1));
  const weights = start.slice();
  const [mean, square] = [new Float64Array(SIZE), new Float64Array(SIZE)];
  const useful = examples
    .filter(({ candidates }) => candidates.some(({ worth }) => worth > 0) && candidates.some(({ worth }) => worth < 1))
    .map((example) => flattened(example, spread));
  for (let step = 1; step <= STEPS; step++) {
    const slope = new Float64Array(SIZE);
    for (const rows of useful) addSlope(rows, weights, slope);
    const rate = RATE * (1 - (0.9 * step) / STEPS);
    // Adam: each weight has its own pace.
    for (let at = 0; at < SIZE; at++) {
      const strict = strictness[at] ?? 0;
      if (strict === Number.POSITIVE_INFINITY) continue;
      const by = (slope[at] ?? 0) + strict * ((weights[at] ?? 0) - (start[at] ?? 0));
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * by;
      square[at] = 0.999 * (square[at] ?? 0) + 0.001 * by * by;
      const pace = (mean[at] ?? 0) / (1 - 0.9 ** step);
      weights[at] = (weights[at] ?? 0) - (rate * pace) / (Math.sqrt((square[at] ?? 0) / (1 - 0.999 ** step)) + 1e-8);
    }
  }
  return weights.map((weight, at) => weight / (spread[at] ?? 1));
}

/** An example as the inner loop wants it: one row of scaled features after the other. */
interface Rows {
  readonly features: Float64Array;
  readonly worth: Float64Array;
}

function flattened({ candidates }: Example, spread: Float64Array): Rows {
  const rows = new Float64Array(candidates.length * SIZE);
  candidates.forEach(({ features }, row) => {
    for (let at = 0; at < SIZE; at++) rows[row * SIZE + at] = (features[at] ?? 0) / (spread[at] ?? 1);
  });
  return { features: rows, worth: Float64Array.from(candidates, ({ worth }) => worth) };
}

function addSlope({ features, worth }: Rows, weights: Float64Array, slope: Float64Array): void {
  const chances = new Float64Array(worth.length);
  let top = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < worth.length; row++) {
    let sum = 0;
    for (let at = 0; at < SIZE; at++) sum += (weights[at] as number) * (features[row * SIZE + at] as number);
    chances[row] = sum;
    top = Math.max(top, sum);
  }
  let [all, good] = [0, 0];
  for (let row = 0; row < worth.length; row++) {
    const chance = Math.exp((chances[row] as number) - top);
    chances[row] = chance;
    all += chance;
    good += chance * (worth[row] as number);
  }
  for (let row = 0; row < worth.length; row++) {
    const chance = chances[row] as number;
    const by = chance / all - (chance * (worth[row] as number)) / good;
    if (Math.abs(by) < 1e-6) continue;
    for (let at = 0; at < SIZE; at++) slope[at] = (slope[at] as number) + by * (features[row * SIZE + at] as number);
  }
}
