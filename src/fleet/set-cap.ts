import type { Message } from '../core/messages/message.ts';
import { readQueueAddress } from './address.ts';
import { openQueue } from './open-queue.ts';
import { ModelCap } from './rules.ts';

/**
 * Sets what all workers of a queue together may do with a model. What is not given stays as it was; without anything, all
 * is removed.
 * @throws ThoughtTreeError `bad-input`, `unreachable`; `declined` for whoever is not the owner of the queue
 */
export async function setCap(address: string, cap: ModelCap, notice: (what: Message) => void): Promise<void> {
  const at = readQueueAddress(address);
  for (const what of at.weak) notice(what);
  const queue = await openQueue(at, false);
  try {
    const isRemoval = cap.calls === undefined && cap.usdAMinute === undefined;
    const { caps } = await queue.rules();
    const before = isRemoval ? undefined : caps.find(({ model }) => model === cap.model);
    await queue.setCap(ModelCap.parse({ ...before, ...cap }));
  } finally {
    await queue.close();
  }
}
