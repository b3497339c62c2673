import { FEATURES } from './passage-features.ts';
import { CONFIDENCE, WEIGHTS } from './weights.ts';

const weights = Float64Array.from(FEATURES, (feature) => WEIGHTS[feature]);

/** How well a passage with these features answers; larger is better. */
export function scoreOf(features: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < weights.length; at++) sum += (weights[at] ?? 0) * (features[at] ?? 0);
  return sum;
}

/** How likely a passage with this score is a place that answers. */
export function confidenceOf(score: number): number {
  return 1 / (1 + Math.exp(-CONFIDENCE.slope * (score - CONFIDENCE.middle)));
}
