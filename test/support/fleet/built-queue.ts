import type { QueueAddress } from '../../../src/fleet/address.ts';
import type { FleetQueue } from '../../../src/fleet/queue.ts';
import { built } from '../built.ts';

const { PostgresQueue } = built<typeof import('../../../src/fleet/postgres/postgres-queue.ts')>('fleet-queue');

/** Opens the queue at an address, by the bundle that leaders and workers load. */
export function openQueue(address: QueueAddress, looksAfter: boolean): Promise<FleetQueue> {
  return PostgresQueue.open(address, { looksAfter });
}
