import { FEATURES, ROLE_FEATURES } from './passage-features.ts';
import { CONFIDENCE, WEIGHTS } from './weights.ts';

const weights = Float64Array.from(FEATURES, (feature) => WEIGHTS[feature]);

const withoutRoles = weights.map((weight, at) => (ROLE_FEATURES.has(FEATURES[at] ?? 'isAsked') ? 0 : weight));

/** How well a passage with these features answers; larger is better. */
export function scoreOf(features: Float64Array): number {
  return sum(features, weights);
}

/** The same, whatever its file is. */
export function fitOf(features: Float64Array): number {
  return sum(features, withoutRoles);
}

/** How likely a passage with this score is a place that answers. */
export function confidenceOf(score: number): number {
  return 1 / (1 + Math.exp(-CONFIDENCE.slope * (score - CONFIDENCE.middle)));
}

function sum(features: Float64Array, factors: Float64Array): number {
  let all = 0;
  for (let at = 0; at < factors.length; at++) all += (factors[at] ?? 0) * (features[at] ?? 0);
  return all;
}
