import type { ModelCall } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { stoppedBefore, stoppedWithin } from '../messages.ts';
import { tooLate } from './failures/network-failure.ts';
import type { Server } from './server.ts';

/** Used as a reason, since otherwise an error with its stack would be created for each call. */
const OVER = 'the call is over';

/** The time that a call may take, in milliseconds. */
export interface TimeLimit {
  readonly timeoutMs: number;
  /** Additional time before its answer begins. */
  readonly loadingMs?: number;
}

/**
 * Carries out one request under the call's signal and a time limit, and closes its connection in every case.
 *
 * @param work receives the signal for the request, and a function to call when the answer begins
 * @param explain turns what `work` threw into one of our errors
 * @throws ThoughtTreeError `aborted`, `timed-out`, or what `explain` gives
 */
export async function timedCall<T>(
  server: Server,
  { timeoutMs, loadingMs = 0 }: TimeLimit,
  call: Pick<ModelCall, 'signal'>,
  work: (signal: AbortSignal, begun: () => void) => Promise<T>,
  explain: (error: unknown) => ThoughtTreeError,
): Promise<T> {
  if (call.signal.aborted) throw new ThoughtTreeError('aborted', stoppedBefore(), { charged: false });
  const ending = new AbortController();
  const stop = () => ending.abort();
  let late = false;
  const giveUp = () => {
    late = true;
    stop();
  };
  let timer = setTimeout(giveUp, timeoutMs + loadingMs);
  const begun = () => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, timeoutMs);
  };
  call.signal.addEventListener('abort', stop);
  try {
    return await work(ending.signal, begun);
  } catch (error) {
    if (call.signal.aborted) throw new ThoughtTreeError('aborted', stoppedWithin(), { charged: true });
    if (late) throw tooLate(server, timeoutMs);
    throw explain(error);
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', stop);
    // Closes the connection of an answer that was not read to its end.
    ending.abort(OVER);
  }
}
