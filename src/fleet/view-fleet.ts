import type { Message } from '../core/messages/message.ts';
import { readQueueAddress } from './address.ts';
import { queueOf } from './names.ts';
import { openQueue } from './open-queue.ts';
import type { LeaderCard, WorkerCard } from './protocol.ts';

/** What a fleet does at one moment. */
export interface FleetView {
  readonly workers: readonly WorkerCard[];
  readonly searches: readonly LeaderCard[];
  /** The models that somebody serves or asks for, and how many calls wait for each. */
  readonly models: readonly { readonly name: string; readonly waiting: number }[];
}

/**
 * Looks at the fleet of a queue.
 * @throws ThoughtTreeError `bad-input`, `unreachable`
 */
export async function viewFleet(address: string, notice: (what: Message) => void): Promise<FleetView> {
  const at = readQueueAddress(address);
  for (const what of at.weak) notice(what);
  const queue = await openQueue(at, false);
  try {
    const cards = await queue.cards();
    const workers = cards.filter((card) => card.kind === 'worker');
    const searches = cards.filter((card) => card.kind === 'leader');
    const names = new Map<string, string>();
    for (const model of workers.flatMap(({ models }) => models)) names.set(model.queue, model.name);
    for (const { name, origin } of searches.flatMap(({ models }) => models)) names.set(queueOf(name, origin), name);
    const waiting = await queue.waiting([...names.keys()]);
    return { workers, searches, models: [...names].map(([key, name]) => ({ name, waiting: waiting.get(key) ?? 0 })) };
  } finally {
    await queue.close();
  }
}
