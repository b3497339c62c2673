import { isThoughtTreeError } from '../../core/search/errors.ts';

/** How long it waits before it asks again, in milliseconds. */
const AGAIN_MS = 500;

/** Asks the queue until its database is there, or nobody wants it any more. */
export async function patiently<T>(
  signal: AbortSignal,
  ask: () => Promise<T>,
  onAway: (error: unknown) => void,
): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (isThoughtTreeError(error, 'bad-request', 'lease-lost') || signal.aborted) throw error;
      onAway(error);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}
