import type { ExpectedCalls } from '../../core/money/expected-calls.ts';
import { type KindForecast, MOST_EXPANSIONS, type Part, type PartsRequest, sum } from '../../core/money/forecast.ts';
import { researchPurposes } from './purposes.ts';
import { researchOptionsIn } from './research-search.ts';

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

/** The difference in size of trees of the same fan-outs: the standard deviation of the logarithm. */
const TREES_DIFFER = 0.5;

/** Topics below one that are expected to add enough, where the question was divided by somebody who had read. */
const BELOW_SURVEY = 0.4;

/** Children of a node at a depth, as `ExpectedCalls.fanout`. */
function fanout({ options, reads }: PartsRequest, expected: ExpectedCalls, depth: number, atMost = false): number {
  const isFew = reads === true && researchOptionsIn(options).surveys && depth > 0;
  return expected.fanout(depth, atMost, isFew ? BELOW_SURVEY : undefined);
}

/** All nodes of the tree below what is open, on average, if everything is worked on. */
function treeSize(request: PartsRequest, expected: ExpectedCalls): number {
  const { open, maxDepth, options } = request;
  const { maxChildren } = researchOptionsIn(options);
  const counts = open ? [...open] : [0, Math.min(maxChildren, fanout(request, expected, 0))];
  let total = 0;
  for (let depth = 1, here = 0; depth <= maxDepth; depth++) {
    here = (counts[depth] ?? 0) + (depth > 1 ? here * fanout(request, expected, depth - 1) : 0);
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

/**
 * Requests for one answer of a model that reads files, and what each of them sends: measured in searches of a strong model.
 * Below the survey nearly everything was sent before.
 */
const READING = {
  root: { requests: 5, guess: { prompt: 17_000, completion: 700, cached: 0.55 } },
  document: { requests: 1.8, guess: { prompt: 31_000, completion: 1000, cached: 0.88 } },
  opening: { requests: 1.5, guess: { prompt: 38_000, completion: 1400, cached: 0.8 } },
} as const;
/** The use of a document's request where a survey without files went before it, in tokens. */
const FORKED = { prompt: 3500, completion: 700, cached: 0.7 } as const;

/** The first level in order, then leaves as chosen by a picker that favours no depth. */
function parts(request: PartsRequest, expected: ExpectedCalls, atMost = false): Part[] {
  const { maxDepth, hasOpening } = request;
  const { maxChildren, picker, surveys, together } = researchOptionsIn(request.options);
  const reads = request.reads === true && surveys;
  const requests = reads ? (expected.perNode('document') ?? READING.document.requests) : 1;
  const guess = reads ? READING.document.guess : surveys ? FORKED : undefined;
  const found: Part[] = [];
  const open = [...(request.open ?? [])];
  if (!request.open) {
    const root = reads ? { count: READING.root.requests, guess: READING.root.guess } : { count: 1 };
    found.push({ purpose: 'children', depth: 0, ...root });
    open[1] = Math.min(maxChildren, fanout(request, expected, 0, atMost));
  }
  const worked: number[] = [];
  // Of trees that grow by chance, most are smaller than the average.
  const usual = treeSize(request, expected) * (atMost ? 1 : Math.exp(-(TREES_DIFFER ** 2) / 2));
  const limit = Math.min(request.expansions, MOST_EXPANSIONS, atMost ? Number.POSITIVE_INFINITY : usual);
  const takeFrom = (depth: number, count: number): void => {
    worked[depth] = (worked[depth] ?? 0) + count;
    open[depth] = (open[depth] ?? 0) - count;
    if (depth < maxDepth) open[depth + 1] = (open[depth + 1] ?? 0) + count * fanout(request, expected, depth, atMost);
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
    found.push({ purpose: 'document', depth, count: count * requests, ...(guess && { guess }) });
    if (depth < maxDepth && !together) found.push({ purpose: 'children', depth, count });
  }
  const picks = (guided - left) / (picker === 'one-at-a-time' ? 1 : LEAVES_A_PICK);
  if (picks > 0) found.push({ purpose: 'pick', depth: 0, count: picks });
  const { opening } = READING;
  if (hasOpening)
    found.push({
      purpose: 'synthesize',
      depth: 0,
      ...(reads ? { count: opening.requests, guess: opening.guess } : { count: 1 }),
    });
  return found;
}
