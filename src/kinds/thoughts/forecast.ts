import type { ExpectedCalls } from '../../core/money/expected-calls.ts';
import { type KindForecast, MOST_EXPANSIONS, type Part, type PartsRequest } from '../../core/money/forecast.ts';
import type { Purposes } from '../../core/ports/purpose.ts';
import { thoughtPurposes } from './purposes.ts';

const OF_NODE = ['evaluate', 'generate'];

export const thoughtForecast: KindForecast = {
  parts,
  purposes: thoughtPurposes,
  ofNode: OF_NODE,
};

/** As many calls per node as earlier searches made. */
function parts({ expansions, hasOpening }: PartsRequest, expected: ExpectedCalls): Part[] {
  const nodes = Math.min(expansions, MOST_EXPANSIONS);
  const known: Purposes = thoughtPurposes;
  const seen = expected.purposes.filter((purpose) => known[purpose]?.when === 'slot');
  const purposes = seen.length > 0 ? seen : OF_NODE;
  const found = purposes.map((purpose) => ({ purpose, depth: 1, count: nodes * (expected.perNode(purpose) ?? 1) }));
  return hasOpening ? [...found, { purpose: 'synthesize', depth: 0, count: 1 }] : found;
}
