import type { QueueAddress } from '../../../src/fleet/address.ts';
import type { FleetQueue } from '../../../src/fleet/queue.ts';
import { built } from '../built.ts';

const { BossQueue } = built<typeof import('../../../src/fleet/boss/boss-queue.ts')>('fleet-queue');

/** Opens the queue at an address, by the bundle that leaders and workers load. */
export function openQueue(address: QueueAddress, looksAfter: boolean): Promise<FleetQueue> {
  return BossQueue.open(address, { looksAfter });
}
