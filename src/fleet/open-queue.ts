import type { QueueAddress } from './address.ts';
import type { FleetQueue } from './queue.ts';

/**
 * Opens the queue at an address.
 * @param looksAfter whether this process also notices workers that are gone: whoever sends calls does
 * @throws ThoughtTreeError `unreachable`
 */
export async function openQueue(address: QueueAddress, looksAfter: boolean): Promise<FleetQueue> {
  const { PostgresQueue } = await import('./postgres/postgres-queue.ts');
  return await PostgresQueue.open(address, { looksAfter });
}
