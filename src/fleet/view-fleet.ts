import type { Message } from '../core/messages/message.ts';
import { readQueueAddress } from './address.ts';
import type { FleetView } from './look-at-fleet.ts';
import { lookAtFleet } from './look-at-fleet.ts';
import { openQueue } from './open-queue.ts';

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
