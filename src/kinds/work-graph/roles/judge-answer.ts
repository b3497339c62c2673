import * as z from 'zod';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { wrongScores } from './messages.ts';
import { readAnswer } from './read-answer.ts';

const Score = z.looseObject({ criterion: z.unknown(), score: z.number().min(1).max(5) });
const Answer = z.looseObject({ scores: z.array(z.union([Score, z.number().min(1).max(5)])).max(100) });

/**
 * One vote: the mean of the scores from 1 to 5, by the weights relative to each other.
 * @throws ThoughtTreeError `bad-answer`
 */
export function checkVote(text: string, weights: readonly number[]): number {
  const { scores } = readAnswer(text, Answer);
  if (scores.length !== weights.length)
    throw new ThoughtTreeError('bad-answer', wrongScores({ count: weights.length }));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const weighed = scores.reduce<number>((all, each, i) => all + scoreOf(each) * (weights[i] ?? 0), 0);
  return Math.round((weighed / sum) * 1000) / 1000;
}

function scoreOf(each: number | { readonly score: number }): number {
  return typeof each === 'number' ? each : each.score;
}
