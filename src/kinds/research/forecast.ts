import type { ExpectedCalls } from '../../core/money/expected-calls.ts';
import { type KindForecast, MOST_EXPANSIONS, type Part, type PartsRequest } from '../../core/money/forecast.ts';
import { researchOptionsIn } from './options.ts';
import { researchPurposes } from './purposes.ts';

/** Leaves ranked by one pick that are worked on before the next one, on average. */
const LEAVES_A_PICK = 25;

export const researchForecast: KindForecast = {
  parts,
  purposes: researchPurposes,
  ofNode: ['document', 'children'],
};

/** The first level in order, then leaves as chosen by a picker that favours no depth. */
function parts(request: PartsRequest, expected: ExpectedCalls): Part[] {
  const { maxDepth, hasOpening } = request;
  const { maxChildren, picker } = researchOptionsIn(request.options);
  const found: Part[] = [];
  const open = [...(request.open ?? [])];
  if (!request.open) {
    found.push({ purpose: 'children', depth: 0, count: 1 });
    open[1] = Math.min(maxChildren, expected.fanout(0));
  }
  const worked: number[] = [];
  const limit = Math.min(request.expansions, MOST_EXPANSIONS);
  const takeFrom = (depth: number, count: number): void => {
    worked[depth] = (worked[depth] ?? 0) + count;
    open[depth] = (open[depth] ?? 0) - count;
    if (depth < maxDepth) open[depth + 1] = (open[depth + 1] ?? 0) + count * expected.fanout(depth);
  };
  const first = Math.min(limit, open[1] ?? 0);
  takeFrom(1, first);
  let left = limit - first;
  const guided = left;
  for (let total = sum(open); left > 1e-6 && total > 1e-6; total = sum(open)) {
    const step = Math.min(left, Math.max(1, total / 20), total);
    const shares = open.map((count) => (count ?? 0) / total);
    for (const [depth, share] of shares.entries()) if (share > 0) takeFrom(depth, step * share);
    left -= step;
  }
  for (const [depth, count] of worked.entries()) {
    if (!count) continue;
    found.push({ purpose: 'document', depth, count });
    if (depth < maxDepth) found.push({ purpose: 'children', depth, count });
  }
  const picks = (guided - left) / (picker === 'one-at-a-time' ? 1 : LEAVES_A_PICK);
  if (picks > 0) found.push({ purpose: 'pick', depth: 0, count: picks });
  if (hasOpening) found.push({ purpose: 'synthesize', depth: 0, count: 1 });
  return found;
}

function sum(counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0);
}
