import { isDeepStrictEqual } from 'node:util';
import { TestFleet } from '../../test/support/fleet/test-fleet.ts';
import { endsWith, removeSearches, TestSearch } from '../../test/support/searches/e2e-search.ts';
import { scriptedTree } from '../../test/support/servers/server-tree.ts';
import type { Figure, PartOptions } from '../harness/figure.ts';

const CALL_MS = 300;
// A search begins and ends with one call alone, and in its first second nine programs start on the same two processors: 360
// nodes, so that the rest decides.
const { answer } = scriptedTree({ fanout: (_path, depth) => [20, 17][depth] ?? 0, documentWords: 60 });

interface FleetRun {
  readonly seconds: number;
  readonly calls: number;
  readonly tree: Record<string, string>;
}

/** Real workers of one slot each, on a real PostgreSQL, next to the same search without a queue. */
export async function fleet({ quick, say }: PartOptions): Promise<Figure[]> {
  const runs = new Map<number, FleetRun>();
  for (const workers of quick ? [1, 8] : [1, 2, 4, 8]) {
    say(`${workers} workers`);
    runs.set(workers, await withWorkers(workers));
  }
  say('without a queue');
  const alone = await searched('--concurrency', '8');
  const secondsOf = (workers: number): number => runs.get(workers)?.seconds ?? Number.NaN;
  const isSame = [...runs.values()].every(({ tree }) => isDeepStrictEqual(tree, alone.tree));
  const part = 'fleet';
  const figures: Figure[] = [...runs.keys()]
    .filter((workers) => workers > 1)
    .map((workers) => ({
      part,
      what: `as fast as one worker, ${workers} workers`,
      value: secondsOf(1) / secondsOf(workers),
      unit: '×',
      ...(workers === 8 && { target: { atLeast: 7 } }),
      note: `${runs.get(1)?.calls} calls of ${CALL_MS} ms: ${secondsOf(workers).toFixed(1)} s instead of ${secondsOf(1).toFixed(1)} s`,
    }));
  return [
    ...figures,
    {
      ...{ part, what: 'time over that without a queue, 8 slots', value: secondsOf(8) / alone.seconds, unit: '×' },
      note: `${alone.seconds.toFixed(1)} s without`,
    },
    { part, what: 'trees that differ', value: isSame ? 0 : 1, unit: '', target: { atMost: 0 } },
  ];
}

async function withWorkers(count: number): Promise<FleetRun> {
  const fleet = await TestFleet.make();
  try {
    return await searched('--concurrency', 'fleet', fleet, count);
  } finally {
    await fleet.remove();
  }
}

/** From the first request to the last answer, as the server saw them. */
async function searched(flag: string, slots: string, fleet?: TestFleet, workers = 0): Promise<FleetRun> {
  const search = await TestSearch.make({ answer, latencyMs: CALL_MS });
  try {
    const { baseUrl, log } = search.server;
    await Promise.all(Array.from({ length: workers }, (_, n) => fleet?.worker(baseUrl, `w${n}`, '--slots', '1')));
    const queue = fleet ? ['--queue', fleet.url] : [];
    await endsWith(0, search.start('--size', 'all', flag, slots, ...queue));
    const end = Math.max(...log.map(({ ended = 0 }) => ended));
    return { seconds: (end - (log[0]?.time ?? end)) / 1000, calls: log.length, tree: await search.tree() };
  } finally {
    await removeSearches();
  }
}
