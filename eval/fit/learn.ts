// Fits src/text/rank/weights.ts: node eval/fit/learn.ts CODE-BASES QUESTIONS [MADE-UP]
//   CODE-BASES  a folder with the tuning code bases, one folder each
//   QUESTIONS   a folder with the questions of each, NAME.json
//   MADE-UP     a folder with made-up questions: MADE-UP/NAME.json about the files of MADE-UP/NAME/
// First the weights of words are fitted on made-up questions, if there are any; then all on the questions that people
// would ask, kept near the former. The figures that it prints leave one code base out of the fitting at a time.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { FEATURES, type Feature } from '../../src/text/rank/passage-features.ts';
import { type Example, examplesOf } from './examples.ts';
import { fitWeights, scoresOf, shareRight, spreadOf } from './fit-weights.ts';

const ASKED = z.array(z.object({ question: z.string(), files: z.array(z.string()), lines: z.array(z.string()) }));
const TARGET = fileURLToPath(new URL('../../src/text/rank/weights.ts', import.meta.url));
/** Chosen by leaving one code base out; the made-up questions are many, so that they need little. */
const STRICTNESS = 30;
const MADE_UP_STRICTNESS = 30;

/** What made-up questions cannot teach, and the others only where they ask for it: what a file is. */
const ROLES: Partial<Record<Feature, number>> = {
  isAsked: 2,
  isTest: -2.5,
  isDocs: -2.5,
  isConfig: -1.5,
  isDeclaration: -2.5,
  isExample: -2.5,
  isTwin: -2.5,
};

async function read(folder: string, questions: string): Promise<Example[]> {
  const examples: Example[] = [];
  for (const file of readdirSync(questions).sort()) {
    const name = file.replace(/\.json$/, '');
    if (name === file || !existsSync(join(folder, name))) continue;
    const asked = ASKED.parse(JSON.parse(readFileSync(join(questions, file), 'utf8')));
    examples.push(...(await examplesOf(name, join(folder, name), asked)));
    console.log(`${name}: ${asked.length} questions`);
  }
  return examples;
}

function leaveOneOut(
  examples: readonly Example[],
  spread: Float64Array,
  prior: Float64Array,
): Map<string, Float64Array> {
  return new Map(
    [...new Set(examples.map(({ base }) => base))].map((base) => {
      const others = examples.filter((example) => example.base !== base);
      return [base, fitWeights(others, { spread, strictness: STRICTNESS, prior })];
    }),
  );
}

/** Where the chance that a candidate is right is a half, and how soon it grows: a logistic of the score. */
function fitConfidence(
  examples: readonly Example[],
  weightsOf: (example: Example) => Float64Array,
): { middle: number; slope: number } {
  const points = examples.flatMap((example) => {
    const scores = scoresOf(example, weightsOf(example));
    return [...scores.keys()]
      .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
      .slice(0, 10)
      .map((at) => ({ score: scores[at] ?? 0, right: Number((example.worth[at] ?? 0) > 0) }));
  });
  const center = points.reduce((sum, { score }) => sum + score, 0) / points.length;
  let [slope, offset] = [0.5, 0];
  for (let step = 0; step < 5000; step++) {
    let [bySlope, byOffset] = [0, 0];
    for (const { score, right } of points) {
      const miss = 1 / (1 + Math.exp(-(slope * (score - center) + offset))) - right;
      bySlope += (miss * (score - center)) / points.length;
      byOffset += miss / points.length;
    }
    slope -= 0.3 * bySlope;
    offset -= 0.3 * byOffset;
  }
  return { middle: center - offset / slope, slope };
}

function write(weights: Float64Array, { middle, slope }: { middle: number; slope: number }): void {
  const lines = FEATURES.map((feature, at) => `  ${feature}: ${round(weights[at] ?? 0)},`);
  writeFileSync(
    TARGET,
    [
      "import type { Feature } from './passage-features.ts';",
      '',
      '/** What each feature counts: fitted by `eval/fit/learn.ts`, never by hand. */',
      'export const WEIGHTS: Readonly<Record<Feature, number>> = {',
      ...lines,
      '};',
      '',
      '/** The score at which a passage is as likely right as wrong, and how soon that changes; from the same questions. */',
      `export const CONFIDENCE = { middle: ${round(middle)}, slope: ${round(slope)} };`,
      '',
    ].join('\n'),
  );
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000 || 0;
}

const [folder, questions, madeUp] = process.argv.slice(2);
if (!folder || !questions) throw new Error('usage: node eval/fit/learn.ts CODE-BASES QUESTIONS [MADE-UP]');
const examples = await read(folder, questions);
const made = madeUp === undefined ? [] : await read(madeUp, madeUp);
const spread = spreadOf([...examples, ...made]);
const roles = Float64Array.from(FEATURES, (feature) => ROLES[feature] ?? 0);
const prior = made.length === 0 ? roles : fitWeights(made, { spread, strictness: MADE_UP_STRICTNESS, prior: roles });
const apart = leaveOneOut(examples, spread, prior);
const held = (example: Example): Float64Array => apart.get(example.base) ?? prior;
const weights = fitWeights(examples, { spread, strictness: STRICTNESS, prior });
for (const base of apart.keys())
  console.log(
    base,
    shareRight(
      examples.filter((one) => one.base === base),
      held,
    ),
  );
console.log(
  'left out',
  shareRight(examples, held),
  'fitted',
  shareRight(examples, () => weights),
);
write(weights, fitConfidence(examples, held));
