import { queueOf } from './names.ts';
import type { FleetQueue } from './queue.ts';
import type { FleetView } from './view-fleet.ts';

/** What a fleet does at this moment, by its open queue. */
export async function lookAtFleet(queue: Pick<FleetQueue, 'cards' | 'waiting'>): Promise<FleetView> {
  const cards = await queue.cards();
  const workers = cards.filter((card) => card.kind === 'worker');
  const searches = cards.filter((card) => card.kind === 'leader');
  const names = new Map<string, string>();
  for (const model of workers.flatMap(({ models }) => models)) names.set(model.queue, model.name);
  for (const { name, origin } of searches.flatMap(({ models }) => models)) names.set(queueOf(name, origin), name);
  const waiting = await queue.waiting([...names.keys()]);
  return { workers, searches, models: [...names].map(([key, name]) => ({ name, waiting: waiting.get(key) ?? 0 })) };
}
