import { isQuestion } from '../words/asking.ts';
import { FEATURES, ROLE_FEATURES } from './passage-features.ts';
import { DESCRIPTIONS, QUESTIONS, type Scoring } from './weights.ts';

/** Scores passages by what was learnt. */
export class LearntScore {
  readonly #weights: Float64Array;
  readonly #withoutRoles: Float64Array;
  readonly #confidence: Scoring['confidence'];

  constructor({ weights, confidence }: Scoring) {
    this.#weights = Float64Array.from(FEATURES, (feature) => weights[feature]);
    this.#withoutRoles = Float64Array.from(FEATURES, (name) => (ROLE_FEATURES.has(name) ? 0 : weights[name]));
    this.#confidence = confidence;
  }

  /** How well a passage with these features answers; larger is better. */
  of(features: Float64Array): number {
    return sum(features, this.#weights);
  }

  /** The same, whatever its file is. */
  fitOf(features: Float64Array): number {
    return sum(features, this.#withoutRoles);
  }

  /** How likely a passage with this score is a place that answers. */
  confidenceOf(score: number): number {
    const { middle, slope } = this.#confidence;
    return 1 / (1 + Math.exp(-slope * (score - middle)));
  }
}

const questions = new LearntScore(QUESTIONS);
const descriptions = new LearntScore(DESCRIPTIONS);

/** What scores the passages for a text: people ask in other words than those that code is described in. */
export function learntScore(text: string): LearntScore {
  return isQuestion(text) ? questions : descriptions;
}

function sum(features: Float64Array, factors: Float64Array): number {
  let all = 0;
  for (let at = 0; at < factors.length; at++) all += (factors[at] ?? 0) * (features[at] ?? 0);
  return all;
}
