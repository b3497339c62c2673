import type { Message } from '../core/messages/message.ts';
import { readQueueAddress } from './address.ts';
import { lookAtFleet } from './look-at-fleet.ts';
import { openQueue } from './open-queue.ts';
import type { LeaderCard, WorkerCard } from './protocol.ts';
import type { SeenCard } from './queue.ts';

/** What a fleet does at one moment. */
export interface FleetView {
  readonly workers: readonly (SeenCard & WorkerCard)[];
  readonly searches: readonly (SeenCard & LeaderCard)[];
  /** The models that somebody serves or asks for, and how many calls wait for each. */
  readonly models: readonly { readonly name: string; readonly waiting: number }[];
}

/**
 * Looks at the fleet of a queue.
 * @throws ThoughtTreeError `bad-input`, `unreachable`, `key-refused`
 */
export async function viewFleet(address: string, notice: (what: Message) => void): Promise<FleetView> {
  const at = readQueueAddress(address);
  for (const what of at.weak) notice(what);
  const queue = await openQueue(at, false);
  try {
    return await lookAtFleet(queue);
  } finally {
    await queue.close();
  }
}
