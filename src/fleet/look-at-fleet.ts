import { isAgent } from '../models/agents/agent-name.ts';
import { queueOf } from './names.ts';
import type { LeaderCard, OtherCard, WorkerCard } from './protocol.ts';
import type { FleetQueue, SeenCard } from './queue.ts';
import type { ModelCap } from './rules.ts';

export interface FleetView {
  readonly workers: readonly (SeenCard & WorkerCard)[];
  readonly searches: readonly (SeenCard & LeaderCard)[];
  /** The models that somebody serves or asks for, and how many calls wait for each. */
  readonly models: readonly { readonly name: string; readonly waiting: number }[];
  /** Agents that searches ask for and nobody runs where they have to work, with the searches' titles. */
  readonly unserved: readonly { readonly model: string; readonly title: string }[];
  readonly caps: readonly ViewedCap[];
  /** Workers and searches of other versions, which have no part in it. */
  readonly others: readonly OtherCard[];
}

/** A cap of the fleet's owner, and what counts towards it now. */
interface ViewedCap extends ModelCap {
  readonly underWay: number;
  /** Dollars. */
  readonly spent: number;
}

/** Returns the state of a fleet at this moment, by its open queue. */
export async function lookAtFleet(
  queue: Pick<FleetQueue, 'cards' | 'waiting' | 'rules' | 'counted'>,
): Promise<FleetView> {
  const cards = await queue.cards();
  const workers = cards.filter((card) => card.kind === 'worker');
  const searches = cards.filter((card) => card.kind === 'leader');
  const others = cards.filter((card) => card.kind === 'other');
  const caps: ViewedCap[] = [];
  for (const cap of (await queue.rules()).caps) {
    const { calls, usd } = await queue.counted(cap);
    caps.push({ ...cap, underWay: calls, spent: usd });
  }
  const served = new Set(workers.flatMap(({ models }) => models.map(({ queue: of }) => of)));
  const unserved = searches.flatMap(({ title, models }) =>
    models
      .filter(({ name, origin }) => isAgent(name) && !served.has(queueOf(name, origin)))
      .map(({ name }) => ({ model: name, title })),
  );
  const names = new Map<string, string>();
  for (const model of workers.flatMap(({ models }) => models)) names.set(model.queue, model.name);
  for (const { name, origin } of searches.flatMap(({ models }) => models)) names.set(queueOf(name, origin), name);
  const waiting = await queue.waiting([...names.keys()]);
  const models = [...names].map(([key, name]) => ({ name, waiting: waiting.get(key) ?? 0 }));
  return { workers, searches, models, unserved, caps, others };
}
