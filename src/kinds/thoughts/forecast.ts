import type { ExpectedCalls } from '../../core/money/expected-calls.ts';
import { type KindForecast, MOST_EXPANSIONS, type Part, type PartsRequest } from '../../core/money/forecast.ts';

const OF_NODE = ['evaluate', 'generate'];

export const thoughtForecast: KindForecast = {
  parts,
  guesses: {
    generate: { prompt: 1200, completion: 500 },
    evaluate: { prompt: 1200, completion: 300 },
    decompose: { prompt: 800, completion: 400 },
    synthesize: { prompt: 6000, completion: 700 },
  },
  ofNode: OF_NODE,
};

/** As many calls for each node as earlier ones made. */
function parts({ expansions, hasOpening }: PartsRequest, expected: ExpectedCalls): Part[] {
  const nodes = Math.min(expansions, MOST_EXPANSIONS);
  const seen = expected.purposes.filter((purpose) => purpose !== 'synthesize' && purpose !== 'pick');
  const purposes = seen.length > 0 ? seen : OF_NODE;
  const found = purposes.map((purpose) => ({ purpose, depth: 1, count: nodes * (expected.perNode(purpose) ?? 1) }));
  return hasOpening ? [...found, { purpose: 'synthesize', depth: 0, count: 1 }] : found;
}
