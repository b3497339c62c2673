import { ThoughtTreeError } from '../../core/search/errors.ts';
import { readQueueAddress } from '../address.ts';
import * as say from '../messages.ts';
import { openQueue } from '../open-queue.ts';
import type { FleetQueue } from '../queue.ts';
import { VERSION } from '../version.ts';
import { FleetLeader, type LeaderOptions } from './fleet-leader.ts';

/** A leader, and what must not be printed of the address of its queue. */
export interface OpenedLeader {
  readonly leader: FleetLeader;
  readonly secrets: readonly string[];
}

/**
 * Opens a search's side of a fleet, and says what is weak about its address.
 * @param address of the queue
 * @throws ThoughtTreeError `bad-input`, `unreachable`; `newer-version` if the fleet is of a newer version
 */
export async function openLeader(address: string, options: Omit<LeaderOptions, 'queue'>): Promise<OpenedLeader> {
  const at = readQueueAddress(address);
  for (const what of at.weak) options.notice(what);
  const queue = await ofOurVersion(await openQueue(at, true));
  void queue.tidy().catch(() => undefined);
  return { leader: new FleetLeader({ ...options, queue }), secrets: at.secrets };
}

/** The fleet follows the newest of its searches, so that workers can tell by themselves whether they are of use. */
async function ofOurVersion(queue: FleetQueue): Promise<FleetQueue> {
  const { protocol, program } = VERSION;
  const { version } = await queue.rules();
  if (version && version.protocol > protocol) {
    await queue.close();
    const theirs = { theirs: version.program, protocol: version.protocol };
    throw new ThoughtTreeError('newer-version', say.fleetIsNewer({ ...theirs, ours: program }));
  }
  // Whoever may not say so is no owner of the queue; its workers find out by their calls.
  if (version?.protocol !== protocol) await queue.setVersion(VERSION).catch(() => undefined);
  return queue;
}
