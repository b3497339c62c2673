/** Draws numbers from 0 to 1. */
export type Random = () => number;

/** Mulberry32: the same seed draws the same numbers. */
export function seeded(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws from the normal distribution with mean 0 and deviation 1. */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Draws from a Beta distribution, by two of Gamma (Marsaglia and Tsang). */
export function randomBeta(random: Random, a: number, b: number): number {
  const x = randomGamma(random, a);
  return x / (x + randomGamma(random, b));
}

function randomGamma(random: Random, shape: number): number {
  if (shape < 1) return randomGamma(random, shape + 1) * (random() || 1e-12) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(random()) < 0.5 * x * x + d * (1 - v + Math.log(v))) return d * v;
  }
}

/**
 * Returns the draws of one decision: they follow from the search's seed, a node's path and a count, so that they can be
 * made again.
 */
export function drawsAt(seed: number, path: string, count: number): Random {
  let hash = 0x811c9dc5 ^ seed;
  for (const text of [path, String(count)])
    for (let at = 0; at <= text.length; at++) hash = Math.imul(hash ^ (text.charCodeAt(at) || 0x2f), 0x01000193);
  return seeded(hash);
}
