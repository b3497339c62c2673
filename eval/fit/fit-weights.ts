import { FEATURES, ROLE_FEATURES } from '../../src/text/rank/passage-features.ts';
import type { Example } from './examples.ts';

const SIZE = FEATURES.length;
const IS_ROLE = FEATURES.map((feature) => ROLE_FEATURES.has(feature));
const STEPS = 400;
const RATE = 0.05;
/** Features of what a file is vary little, but matter much: made-up questions teach nothing about them. */
const ROLE_STRICTNESS = 0.1;
/** A feature that hardly varies must not get a huge weight for it. */
const LEAST_SPREAD = 0.05;

/** By feature: how much it varies among the candidates of a question. */
export function spreadOf(examples: readonly Example[]): Float64Array {
  const spread = new Float64Array(SIZE);
  for (let at = 0; at < SIZE; at++) {
    let [sum, count] = [0, 0];
    for (const { features } of examples) {
      const mean = features.reduce((all, one) => all + (one[at] ?? 0), 0) / Math.max(1, features.length);
      for (const one of features) sum += ((one[at] ?? 0) - mean) ** 2;
      count += features.length;
    }
    spread[at] = Math.max(LEAST_SPREAD, Math.sqrt(sum / Math.max(1, count)));
  }
  return spread;
}

/**
 * The weights that make right passages most likely to be first, if each is first with a chance that grows
 * exponentially with its score. Deterministic.
 * @param strictness how much weights that differ from `prior`, measured by the features' spread, cost
 */
export function fitWeights(
  examples: readonly Example[],
  {
    spread,
    strictness,
    prior = new Float64Array(SIZE),
  }: { spread: Float64Array; strictness: number; prior?: Float64Array },
): Float64Array {
  const start = prior.map((weight, at) => weight * (spread[at] ?? 1));
  const weights = start.slice();
  const [mean, square] = [new Float64Array(SIZE), new Float64Array(SIZE)];
  const useful = examples.filter(({ worth }) => worth.some((one) => one > 0) && worth.some((one) => one < 1));
  for (let step = 1; step <= STEPS; step++) {
    const slope = new Float64Array(SIZE);
    for (const example of useful) addSlope(example, weights, spread, slope);
    const rate = RATE * (1 - (0.9 * step) / STEPS);
    // Adam: each weight has its own pace.
    for (let at = 0; at < SIZE; at++) {
      const by =
        (slope[at] ?? 0) + strictness * (IS_ROLE[at] ? ROLE_STRICTNESS : 1) * ((weights[at] ?? 0) - (start[at] ?? 0));
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * by;
      square[at] = 0.999 * (square[at] ?? 0) + 0.001 * by * by;
      const pace = (mean[at] ?? 0) / (1 - 0.9 ** step);
      weights[at] = (weights[at] ?? 0) - (rate * pace) / (Math.sqrt((square[at] ?? 0) / (1 - 0.999 ** step)) + 1e-8);
    }
  }
  return weights.map((weight, at) => weight / (spread[at] ?? 1));
}

function addSlope(
  { features, worth }: Example,
  weights: Float64Array,
  spread: Float64Array,
  slope: Float64Array,
): void {
  const scores = features.map((one) => {
    let sum = 0;
    for (let at = 0; at < SIZE; at++) sum += ((weights[at] ?? 0) * (one[at] ?? 0)) / (spread[at] ?? 1);
    return sum;
  });
  const top = Math.max(...scores);
  const chances = scores.map((score) => Math.exp(score - top));
  const all = chances.reduce((sum, chance) => sum + chance, 0);
  const good = chances.reduce((sum, chance, at) => sum + chance * (worth[at] ?? 0), 0);
  chances.forEach((chance, place) => {
    const by = chance / all - (chance * (worth[place] ?? 0)) / good;
    if (Math.abs(by) < 1e-9) return;
    const one = features[place] as Float64Array;
    for (let at = 0; at < SIZE; at++) slope[at] = (slope[at] ?? 0) + (by * (one[at] ?? 0)) / (spread[at] ?? 1);
  });
}

/** The score of each candidate. */
export function scoresOf({ features }: Example, weights: Float64Array): number[] {
  return features.map((one) => one.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0));
}

/** Whether the first file is right, and any of the first three, as percentages of the questions. */
export function shareRight(
  examples: readonly Example[],
  weightsOf: (example: Example) => Float64Array,
): { first: number; ofThree: number } {
  let [first, ofThree] = [0, 0];
  for (const example of examples) {
    const scores = scoresOf(example, weightsOf(example));
    const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
    const files = [...new Set(order.map((at) => example.paths[at] ?? ''))].slice(0, 3);
    if (files.slice(0, 1).some((file) => example.files.includes(file))) first++;
    if (files.some((file) => example.files.includes(file))) ofThree++;
  }
  const percent = (count: number): number => Math.round((1000 * count) / Math.max(1, examples.length)) / 10;
  return { first: percent(first), ofThree: percent(ofThree) };
}
