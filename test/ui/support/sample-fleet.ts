import type { GraphFleet, GraphSlot, GraphWorker } from '../../../src/protocol/graph-node.ts';

const MODEL = 'openai-compatible/qwen3-coder-480b';

/** A worker that does nothing. @param now milliseconds since 1970 */
export function sampleWorker(number: number, now: number, more: Partial<GraphWorker> = {}): GraphWorker {
  const spent = { made: 120 * number, tokens: 1_200_000, usd: 0.42 };
  const name = `gpu-${number}.example (${4700 + number})`;
  const models = { models: [MODEL], moreModels: 0 };
  const work = { state: 'working' as const, slots: 4, busy: 0, calls: [] };
  return { id: `w${number}`, name, ...models, ...work, ...spent, seen: now - 1000, ...more };
}

/** Three workers with every state and every sort of call, and the calls of the search that they belong to. */
export function sampleFleet(now: number): { fleet: GraphFleet; slots: readonly GraphSlot[] } {
  const call = (node: string, seconds: number) => ({ node, purpose: 'document', since: now - seconds * 1000 });
  const own = [call('t1', 12), call('t2', 72), call('t3', 3)].map((each) => ({ ...each, model: MODEL }));
  const of = (other: string) => ({ ...call('', 5), model: MODEL, other });
  const workers = [
    sampleWorker(1, now, {
      busy: 4,
      calls: [...own.slice(0, 2), of('Why is the build slow on the old machines?'), of('')],
    }),
    sampleWorker(2, now, { state: 'draining', busy: 1, calls: own.slice(2), seen: now - 8000 }),
    sampleWorker(3, now, { state: 'capped', slots: 64, busy: 0, moreModels: 3 }),
  ];
  const slots = [...own.map(({ model: _, ...each }) => each), call('t4', 1), call('t5', 1)];
  return { fleet: { workers, moreWorkers: 0, waiting: [{ model: MODEL, calls: 5 }] }, slots };
}
