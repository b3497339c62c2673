import { oneLine } from '../../core/text/text.ts';
import type { FleetView } from '../../fleet/look-at-fleet.ts';
import type { WorkerCard } from '../../fleet/protocol.ts';
import type { SeenCard } from '../../fleet/queue.ts';
import type { GraphFleet, GraphFleetCall, GraphWorker } from '../../protocol/graph-node.ts';

// Cards may be longer than anybody reads, and are sent to the page every two seconds.
const MOST_WORKERS = 50;
const MOST_CALLS = 300;
const MOST_CALLS_OF_ONE = 32;
const MOST_MODELS = 5;
const MOST_WAITING = 20;

/**
 * A fleet as it is drawn: what a worker says of itself may be anything, so that all of it is bounded text.
 * @param search the name in the queue of the search that it is drawn for
 * @param now milliseconds since 1970
 */
export function graphFleetOf({ workers, searches, models }: FleetView, search: string, now: number): GraphFleet {
  const titles = new Map(searches.flatMap((each) => (each.search === undefined ? [] : [[each.search, each.title]])));
  const ordered = workers.toSorted((a, b) => order(nameOf(a), nameOf(b)) || order(a.id, b.id));
  let left = MOST_CALLS;
  const shown = ordered.slice(0, MOST_WORKERS).map((worker): GraphWorker => {
    // Those of this search first: they lead to its nodes.
    const own = worker.calls.toSorted((a, b) => Number(b.search === search) - Number(a.search === search));
    const calls = own.slice(0, Math.min(left, MOST_CALLS_OF_ONE)).map((call) => callOf(call, search, titles));
    left -= calls.length;
    return { ...workerOf(worker, now), calls };
  });
  const waiting = models
    .filter((each) => each.waiting > 0)
    .slice(0, MOST_WAITING)
    .map(({ name, waiting: calls }) => ({ model: oneLine(name, 100), calls }));
  return { workers: shown, moreWorkers: workers.length - shown.length, waiting };
}

function workerOf(worker: SeenCard & WorkerCard, now: number): Omit<GraphWorker, 'calls'> {
  const { id, state, slots, models, calls, spent, silentMs } = worker;
  return {
    ...{ id, state, slots, name: nameOf(worker), busy: calls.length },
    models: [...new Set(models.map(({ name }) => oneLine(name, 100)))].slice(0, MOST_MODELS),
    moreModels: Math.max(0, models.length - MOST_MODELS),
    ...{ made: spent.calls, tokens: spent.tokens, usd: spent.usd },
    seen: now - silentMs,
  };
}

function callOf(
  { model, node, purpose, since, search: of }: WorkerCard['calls'][number],
  search: string,
  titles: ReadonlyMap<string | undefined, string>,
): GraphFleetCall {
  const call = { node: node.slice(0, 1000), purpose: oneLine(purpose, 60), since, model: oneLine(model, 100) };
  return of === search ? call : { ...call, node: '', other: oneLine(titles.get(of) ?? '', 100) };
}

function nameOf({ host, pid }: WorkerCard): string {
  return `${oneLine(host, 60)} (${pid})`;
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
