import type { Message } from '../core/messages/message.ts';
import { readQueueAddress } from './address.ts';
import { lookAtFleet } from './look-at-fleet.ts';
import { openQueue } from './open-queue.ts';
import type { LeaderCard, OtherCard, WorkerCard } from './protocol.ts';
import type { SeenCard } from './queue.ts';
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
export interface ViewedCap extends ModelCap {
  readonly underWay: number;
  /** Dollars. */
  readonly spent: number;
}

/**
 * Looks at the fleet of a queue, and deletes what nobody needs any more: searches that would may be gone.
 * @throws ThoughtTreeError `bad-input`, `unreachable`, `key-refused`
 */
export async function viewFleet(address: string, notice: (what: Message) => void): Promise<FleetView> {
  const at = readQueueAddress(address);
  for (const what of at.weak) notice(what);
  const queue = await openQueue(at, false);
  try {
    const view = await lookAtFleet(queue);
    await queue.tidy().catch(() => undefined);
    return view;
  } finally {
    await queue.close();
  }
}
