import type { GraphNode, GraphTimedCall } from '../../../src/protocol/graph-node.ts';

export const BEGUN = Date.UTC(2026, 10, 28, 12);
const HOUR = 3_600_000;
/** A moment at which the last ones are under way. */
export const LATEST = BEGUN + HOUR + 90_000;
const PURPOSES = ['document', 'children', 'document', 'picks'];

/**
 * The calls of a search with four slots, an hour of rest in the middle, and every fate; the last ones are under way.
 * @param nodes for which they are made
 */
export function sampleCalls(nodes: readonly GraphNode[], count = 60): GraphTimedCall[] {
  const free = [0, 0, 0, 0];
  const numbers = new Map<string, number>();
  const calls = Array.from({ length: count }, (_, index) => {
    const node = nodes[index % nodes.length]?.path ?? '';
    const slot = free.indexOf(Math.min(...free));
    const start = BEGUN + (free[slot] ?? 0) + ((index * 137) % 400) + (index === count >> 1 ? HOUR : 0);
    const ms = 900 + ((index * 7919) % 9000);
    if (index === count >> 1) free.fill(start - BEGUN);
    free[slot] = start - BEGUN + ms;
    numbers.set(node, (numbers.get(node) ?? 0) + 1);
    return { node, start, ms, index, number: numbers.get(node) ?? 1 };
  });
  return calls
    .sort((a, b) => a.start - b.start)
    .map(({ node, start, ms, index, number }, id): GraphTimedCall => {
      const base = { id, node, number, purpose: PURPOSES[index % PURPOSES.length] ?? '', model: 'copilot/some-model' };
      const begun = { ...base, attempt: index % 13 === 5 ? 2 : 1, time: new Date(start).toISOString() };
      if (id >= count - 2) return { ...begun, outcome: 'under-way', worst: 9000 };
      if (index % 17 === 9)
        return { ...begun, outcome: 'rate-limited', message: 'Too many requests.', ms, end: start + ms };
      if (index === 20) return { ...begun, outcome: 'killed', worst: 9000, end: start + ms };
      const usage = {
        prompt: 4000 + index * 120,
        cached: index % 3 ? 3000 : 0,
        completion: 300 + index * 9,
        usd: 0.004,
      };
      return { ...begun, outcome: 'ok', ms, end: start + ms, ...usage };
    });
}
