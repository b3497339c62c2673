import {
  CONCERN_FEATURES,
  FEATURES,
  type Feature,
  KIND_FEATURES,
  ROLE_FEATURES,
} from '../../src/text/rank/passage-features.ts';
import type { Example } from './examples.ts';
import { fitWeights, spreadOf } from './fit-weights.ts';

/** What is held before anything is learnt, since made-up questions cannot teach it: their answers are functions of code. */
const ROLES: Partial<Record<Feature, number>> = {
  isAsked: 2,
  isTest: -2.5,
  isDocs: -2.5,
  isConfig: -1.5,
  isDeclaration: -2.5,
  isExample: -2.5,
  isTwin: -2.5,
  isShape: -2,
};
/** How near the weights are kept to those above, and then to those of made-up questions: chosen by leaving one out. */
const MADE_UP_STRICTNESS = 100;
const STRICTNESS = 600;
const ROLE_STRICTNESS = 5;
/** The comment of a function rarely speaks as people do who do not know its words. */
const CONCERN_STRICTNESS = 50;
const UNTAUGHT: ReadonlySet<Feature> = new Set([...ROLE_FEATURES, ...KIND_FEATURES]);

/** What was learnt, and how good it is where it was not learnt. */
export interface Learnt {
  readonly weights: Float64Array;
  /** By code base: by weights that were fitted on the others. */
  readonly leftOut: ReadonlyMap<string, Right>;
  readonly allLeftOut: Right;
}

/** In percent of the questions: the first file is right; one of the first three is. */
interface Right {
  readonly first: number;
  readonly ofThree: number;
}

/** Fits on made-up questions first, then on the others, which are kept near the former. */
export function learn(made: readonly Example[], asked: readonly Example[]): Learnt {
  const spread = spreadOf(asked);
  const roles = Float64Array.from(FEATURES, (feature) => ROLES[feature] ?? 0);
  const untaught = Float64Array.from(FEATURES, (feature) =>
    UNTAUGHT.has(feature) ? Number.POSITIVE_INFINITY : MADE_UP_STRICTNESS,
  );
  const prior = fitWeights(made, { spread, strictness: untaught, prior: roles });
  const strictness = Float64Array.from(FEATURES, (feature) => strictnessOf(feature));
  const fitted = (examples: readonly Example[]): Float64Array => fitWeights(examples, { spread, strictness, prior });
  const bases = [...new Set(asked.map(({ base }) => base))];
  const apart = new Map(bases.map((base) => [base, fitted(asked.filter((one) => one.base !== base))]));
  const held = ({ base }: Example): Float64Array => apart.get(base) ?? prior;
  return {
    weights: fitted(asked),
    leftOut: new Map(
      bases.map((base) => [
        base,
        right(
          asked.filter((one) => one.base === base),
          held,
        ),
      ]),
    ),
    allLeftOut: right(asked, held),
  };
}

function strictnessOf(feature: Feature): number {
  if (ROLE_FEATURES.has(feature)) return ROLE_STRICTNESS;
  return CONCERN_FEATURES.has(feature) ? CONCERN_STRICTNESS : STRICTNESS;
}

/** The candidates with their scores, best first. */
function ranked({ candidates }: Example, weights: Float64Array) {
  return candidates
    .map(({ features, path, worth }) => ({
      path,
      worth,
      score: features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0),
    }))
    .sort((a, b) => b.score - a.score);
}

function right(examples: readonly Example[], weightsOf: (example: Example) => Float64Array): Right {
  let [first, ofThree] = [0, 0];
  for (const example of examples) {
    const files = [...new Set(ranked(example, weightsOf(example)).map(({ path }) => path))].slice(0, 3);
    if (example.files.includes(files[0] ?? '')) first++;
    if (files.some((file) => example.files.includes(file))) ofThree++;
  }
  const percent = (count: number): number => Math.round((1000 * count) / Math.max(1, examples.length)) / 10;
  return { first: percent(first), ofThree: percent(ofThree) };
}
