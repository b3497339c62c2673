import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import * as say from '../messages.ts';

/** The wait before it asks again, in milliseconds. */
const AGAIN_MS = 500;

/** Says, each time that it is asked, whether nobody wants something any more. */
export type Stop = Pick<AbortSignal, 'aborted'>;

/** The reasons that asking again does not change: `unreachable` is of a role that may not do it. */
const FINAL = ['bad-request', 'lease-lost', 'unreachable', 'aborted'] as const;

/**
 * Asks the queue, at least once, until its database is there, or nobody wants it any more.
 * @throws ThoughtTreeError `aborted` if nobody does, uncharged
 */
export async function patiently<T>(stop: Stop, ask: () => Promise<T>, onAway: (error: unknown) => void): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (isThoughtTreeError(error, ...FINAL)) throw error;
      if (stop.aborted) throw new ThoughtTreeError('aborted', say.notTaken(), { cause: error, charged: false });
      onAway(error);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}
