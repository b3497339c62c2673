import { FEATURES, ROLE_FEATURES } from './passage-features.ts';
import { WEIGHTS } from './weights.ts';

const weights = Float64Array.from(FEATURES, (feature) => WEIGHTS[feature]);

const withoutRoles = weights.map((weight, at) => (ROLE_FEATURES.has(FEATURES[at] ?? 'isAsked') ? 0 : weight));

/** Scores how well a passage with these features answers; larger is better. */
export function scoreOf(features: Float64Array): number {
  return sum(features, weights);
}

/** Scores a passage whatever its file is. */
export function fitOf(features: Float64Array): number {
  return sum(features, withoutRoles);
}

function sum(features: Float64Array, factors: Float64Array): number {
  let all = 0;
  for (let at = 0; at < factors.length; at++) all += (factors[at] ?? 0) * (features[at] ?? 0);
  return all;
}
