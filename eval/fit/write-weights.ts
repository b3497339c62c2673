import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURES } from '../../src/text/rank/passage-features.ts';
import type { Learnt, Scoring } from './learnt.ts';

const TARGET = join(import.meta.dirname, '../../src/text/rank/weights.ts');

/** Writes what was learnt as the source that ranks by it. */
export function writeWeights({ questions, descriptions }: Learnt): void {
  const source = [
    "import type { Feature } from './passage-features.ts';",
    '',
    '/** How passages are scored, as `eval/fit/learn.ts` fitted it: never by hand. */',
    'export interface Scoring {',
    '  /** What each feature counts. */',
    '  readonly weights: Readonly<Record<Feature, number>>;',
    '  /** The score at which a passage is as likely right as wrong, and how soon that changes. */',
    '  readonly confidence: { readonly middle: number; readonly slope: number };',
    '}',
    '',
    '/** For what people ask. */',
    ...sourceOf('QUESTIONS', questions),
    '',
    '/** For sentences that say what code does, as comments do. */',
    ...sourceOf('DESCRIPTIONS', descriptions),
    '',
  ];
  writeFileSync(TARGET, source.join('\n'));
}

function sourceOf(name: string, { weights, confidence: { middle, slope } }: Scoring): string[] {
  return [
    `export const ${name}: Scoring = {`,
    '  weights: {',
    ...FEATURES.map((feature, at) => `    ${feature}: ${round(weights[at] ?? 0)},`),
    '  },',
    `  confidence: { middle: ${round(middle)}, slope: ${round(slope)} },`,
    '};',
  ];
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000 || 0;
}
