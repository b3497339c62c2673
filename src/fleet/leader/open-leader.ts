import { readQueueAddress } from '../address.ts';
import { openQueue } from '../open-queue.ts';
import { FleetLeader, type LeaderOptions } from './fleet-leader.ts';

/** A leader, and what must not be printed of the address of its queue. */
export interface OpenedLeader {
  readonly leader: FleetLeader;
  readonly secrets: readonly string[];
}

/**
 * Opens a search's side of a fleet, and says what is weak about its address.
 * @param address of the queue
 * @throws ThoughtTreeError `bad-input`, `unreachable`
 */
export async function openLeader(address: string, options: Omit<LeaderOptions, 'queue'>): Promise<OpenedLeader> {
  const at = readQueueAddress(address);
  for (const what of at.weak) options.notice(what);
  return { leader: new FleetLeader({ ...options, queue: await openQueue(at, true) }), secrets: at.secrets };
}
