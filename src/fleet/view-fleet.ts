import type { Message } from '../core/messages/message.ts';
import { readQueueAddress } from './address.ts';
import { queueOf } from './names.ts';
import { openQueue } from './open-queue.ts';
import type { LeaderCard, OtherCard, WorkerCard } from './protocol.ts';
import type { ModelCap } from './rules.ts';

/** What a fleet does at one moment. */
export interface FleetView {
  readonly workers: readonly WorkerCard[];
  readonly searches: readonly LeaderCard[];
  /** The models that somebody serves or asks for, and how many calls wait for each. */
  readonly models: readonly { readonly name: string; readonly waiting: number }[];
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
    const others = cards.filter((card) => card.kind === 'other');
    const underWay = (model: string): number =>
      workers.flatMap(({ calls }) => calls).filter((call) => call.model === model).length;
    const caps: ViewedCap[] = [];
    for (const cap of (await queue.rules()).caps)
      caps.push({ ...cap, underWay: underWay(cap.model), spent: await queue.spent(cap) });
    const names = new Map<string, string>();
    for (const model of workers.flatMap(({ models }) => models)) names.set(model.queue, model.name);
    for (const { name, origin } of searches.flatMap(({ models }) => models)) names.set(queueOf(name, origin), name);
    const waiting = await queue.waiting([...names.keys()]);
    const models = [...names].map(([key, name]) => ({ name, waiting: waiting.get(key) ?? 0 }));
    return { workers, searches, models, caps, others };
  } finally {
    await queue.close();
  }
}
