import type { Model } from '../../core/ports/model.ts';

/** The share of a small model's context that an answer may take, if more is requested. */
const LARGEST_ANSWER = 0.25;

/** The longest answer to ask a model for, in tokens, beside what it has to read. */
export function answerThatFits({ contextTokens }: Pick<Model, 'contextTokens'>, wanted: number): number {
  return contextTokens === undefined ? wanted : Math.min(wanted, Math.floor(LARGEST_ANSWER * contextTokens));
}
