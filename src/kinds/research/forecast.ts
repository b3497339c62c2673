import type { ExpectedCalls } from '../../core/money/expected-calls.ts';
import { type KindForecast, MOST_EXPANSIONS, type Part, type PartsRequest } from '../../core/money/forecast.ts';
import { researchOptionsIn } from './options.ts';
import { researchPurposes } from './purposes.ts';

/** Leaves ranked by one pick that are worked on before the next one, on average. */
const LEAVES_A_PICK = 25;

export const researchForecast: KindForecast = {
  parts,
  // To the very end: how many nodes that is depends on how many children each has.
  most: (request, expected) => (Number.isFinite(request.expansions) ? undefined : parts(request, expected, true)),
  deviation,
  purposes: researchPurposes,
  ofNode: ['document', 'children'],
};

/** How much trees of the same fan-outs differ in size: the standard deviation of the logarithm. */
const TREES_DIFFER = 0.5;

/** All nodes of the tree below what is open, on average, if everything is worked on. */
function treeSize({ open, maxDepth, options }: PartsRequest, expected: ExpectedCalls): number {
  const { maxChildren } = researchOptionsIn(options);
  const counts = open ? [...open] : [0, Math.min(maxChildren, expected.fanout(0))];
  let total = 0;
  for (let depth = 1, here = 0; depth <= maxDepth; depth++) {
    here = (counts[depth] ?? 0) + (depth > 1 ? here * expected.fanout(depth - 1) : 0);
    total += here;
  }
  return total;
}

/** A tree may have no more nodes than its size allows: what it costs then differs as trees do. */
function deviation(request: PartsRequest, expected: ExpectedCalls): number {
  const size = treeSize(request, expected);
  if (size <= 0 || request.expansions <= 0) return 0;
  return TREES_DIFFER / (1 + Math.exp((-2 * Math.log(request.expansions / size)) / TREES_DIFFER));
}

/** The first level in order, then leaves as chosen by a picker that favours no depth. */
function parts(request: PartsRequest, expected: ExpectedCalls, atMost = false): Part[] {
  const { maxDepth, hasOpening } = request;
  const { maxChildren, picker } = researchOptionsIn(request.options);
  const found: Part[] = [];
  const open = [...(request.open ?? [])];
  if (!request.open) {
    found.push({ purpose: 'children', depth: 0, count: 1 });
    open[1] = Math.min(maxChildren, expected.fanout(0, atMost));
  }
  const worked: number[] = [];
  // Of trees that grow by chance, most are smaller than the average.
  const usual = treeSize(request, expected) * (atMost ? 1 : Math.exp(-(TREES_DIFFER ** 2) / 2));
  const limit = Math.min(request.expansions, MOST_EXPANSIONS, atMost ? Number.POSITIVE_INFINITY : usual);
  const takeFrom = (depth: number, count: number): void => {
    worked[depth] = (worked[depth] ?? 0) + count;
    open[depth] = (open[depth] ?? 0) - count;
    if (depth < maxDepth) open[depth + 1] = (open[depth + 1] ?? 0) + count * expected.fanout(depth, atMost);
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
