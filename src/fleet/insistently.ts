import { setTimeout } from 'node:timers/promises';

/**
 * Asks the queue for something that cannot wait, and once more beside it as long as no answer comes. A connection may be
 * silent, as after a change of networks, and its statement in vain only after many seconds; the next one goes by another.
 * @param ask may be called while an earlier call is under way
 * @param at when, in milliseconds from now
 * @throws AggregateError if all of it was in vain
 */
export async function insistently<T>(at: readonly number[], ask: () => Promise<T>): Promise<T> {
  const heard = new AbortController();
  const asked = at.map(async (ms) => {
    if (ms > 0) await setTimeout(ms, undefined, { signal: heard.signal });
    return await ask();
  });
  return await Promise.any(asked).finally(() => heard.abort());
}
