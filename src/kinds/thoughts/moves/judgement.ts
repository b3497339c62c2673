import { because, type Said } from '../../../core/messages/message.ts';
import type { Evaluation, LeafReason, PrunedBy } from '../../../core/tree/node-file.ts';
import { belowThreshold, breaksConstraint, leadsNowhere, notConfirmed } from '../messages.ts';
import { eachOnce, type ReadJudgement } from '../prompts/thought-answers.ts';

/** The confidence that a judge needs for pruning. */
const SURE_FROM = 0.7;
/** At the last depth, a thought with this score is a solution, if nothing else decides. */
const SOLVED_FROM = 9.5;
/** As many defects are kept with a judgement. */
const MOST_DEFECTS = 60;

/** The judge's samples on one thought, combined. */
export interface CombinedJudgement {
  readonly evaluation: Evaluation;
  readonly prune: boolean;
  readonly violates: boolean;
}

/**
 * The mean of one thought's samples; their spread is kept. Yes or no is decided by the majority.
 * @param samples at least one
 * @param isPoor whether it was judged by less than requested
 * @param earlier its earlier judgement; the new samples are added to it
 */
export function combineSamples(
  samples: readonly ReadJudgement[],
  isPoor: boolean,
  earlier?: Evaluation,
): CombinedJudgement {
  const votes = [...(earlier ? (earlier.votes ?? [earlier.score]) : []), ...samples.map((each) => each.score)];
  const score = rounded(mean(votes));
  const confidences = [earlier?.confidence, ...samples.map((each) => each.confidence)].filter(
    (each) => each !== undefined,
  );
  const confidence = confidences.length > 0 ? rounded(mean(confidences)) : undefined;
  const reasoning = samples.find((each) => each.reasoning)?.reasoning ?? earlier?.reasoning;
  const dimensions = dimensionsOf(samples);
  const defects = keptDefects([...(earlier?.defects ?? []), ...samples.flatMap((each) => each.defects ?? [])]);
  const ranks = samples.flatMap(({ rank }) => rank ?? []);
  const isSure = (confidence ?? 0) >= SURE_FROM;
  const evaluation: Evaluation = {
    score,
    ...(confidence === undefined ? {} : { confidence }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(Object.keys(dimensions).length > 0 ? { dimension_scores: dimensions } : {}),
    ...(defects.length > 0 ? { defects } : {}),
    ...(votes.length > 1 ? { votes } : {}),
    ...(ranks.length > 0 ? { rank: rounded(mean(ranks)) } : {}),
    ...(isPoor ? { low_confidence: true } : {}),
    ...(isMajority(samples, ({ solution }) => solution === true) ? { solution: true } : {}),
    ...(earlier?.['compared'] === undefined ? {} : { compared: earlier['compared'] }),
  };
  return {
    evaluation,
    prune: isSure && isMajority(samples, ({ prune }) => prune === true),
    violates: isSure && isMajority(samples, ({ violates_constraint }) => violates_constraint === true),
  };
}

/** The consequences of a judgement for the node itself. */
export interface Consequence {
  readonly status: 'unexpanded' | 'pruned' | 'leaf';
  readonly prunedBy?: PrunedBy;
  readonly leafReason?: LeafReason;
  readonly why?: string;
  /** The reason as data. */
  readonly whySay?: Said;
}

export interface Standing {
  readonly depth: number;
  readonly maxDepth: number;
  readonly threshold: number;
  /** The task decides what a solution is: the judge's opinion then does not count. */
  readonly hasGoalTest: boolean;
  /** A solution is right or wrong, so one that a second judge refutes is none. */
  readonly isExact: boolean;
}

/** Tells whether a judge calls a thought a solution; at the last depth, also by its score. */
export function isClaim(
  { score, solution }: Pick<ReadJudgement, 'score' | 'solution'>,
  { depth, maxDepth, hasGoalTest }: Standing,
): boolean {
  return !hasGoalTest && (solution === true || (depth >= maxDepth && score >= SOLVED_FROM));
}

/** @param judged undefined if there is no judgement */
export function consequenceFor(judged: CombinedJudgement | undefined, at: Standing): Consequence {
  const isLast = at.depth >= at.maxDepth;
  const end: Consequence = isLast ? { status: 'leaf', leafReason: 'depth-limit' } : { status: 'unexpanded' };
  if (!judged) return end;
  const { score, confirmed } = judged.evaluation;
  if (judged.violates) return { status: 'pruned', prunedBy: 'constraint', ...because(breaksConstraint()) };
  if (isClaim(judged.evaluation, at)) {
    if (confirmed === undefined) return { status: 'unexpanded' };
    if (confirmed) return { status: 'leaf', leafReason: 'solved' };
    if (isLast && at.isExact) return { status: 'pruned', prunedBy: 'evaluator', ...because(notConfirmed()) };
  }
  if (judged.prune) return { status: 'pruned', prunedBy: 'evaluator', ...because(leadsNowhere()) };
  if (score < at.threshold)
    return { status: 'pruned', prunedBy: 'threshold', ...because(belowThreshold({ threshold: at.threshold })) };
  return end;
}

/** Defects that are kept with a judgement, each once. */
export function keptDefects(defects: readonly string[]): string[] {
  return eachOnce(defects).slice(0, MOST_DEFECTS);
}

function dimensionsOf(samples: readonly ReadJudgement[]): Record<string, number> {
  const names = new Set(samples.flatMap(({ dimension_scores }) => Object.keys(dimension_scores ?? {})));
  return Object.fromEntries(
    [...names].map((name) => [name, rounded(mean(samples.flatMap((each) => each.dimension_scores?.[name] ?? [])))]),
  );
}

function isMajority<T>(items: readonly T[], is: (item: T) => boolean): boolean {
  return 2 * items.filter(is).length > items.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
