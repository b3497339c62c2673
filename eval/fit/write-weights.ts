import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURES } from '../../src/text/rank/passage-features.ts';
import type { Learnt } from './learnt.ts';

const TARGET = join(import.meta.dirname, '../../src/text/rank/weights.ts');

/** Writes what was learnt as the source that ranks by it. */
export function writeWeights({ weights }: Learnt): void {
  const source = [
    "import type { Feature } from './passage-features.ts';",
    '',
    '/** What each feature counts: fitted by `eval/fit/learn.ts`, never by hand. */',
    'export const WEIGHTS: Readonly<Record<Feature, number>> = {',
    ...FEATURES.map((feature, at) => `  ${feature}: ${round(weights[at] ?? 0)},`),
    '};',
    '',
  ];
  writeFileSync(TARGET, source.join('\n'));
}

function round(value: number): number {
  return Math.round(value * 100) / 100 || 0;
}
