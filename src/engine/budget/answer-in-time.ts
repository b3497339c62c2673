import type { Model, ModelAnswer, ModelCall, ModelRequest } from '../../core/ports/model.ts';
import type { Clock } from '../../core/ports/ports.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import * as say from '../messages.ts';

/** The longest time that a model which settles a stop by itself may take for that, in milliseconds. */
const SETTLING_MS = 2000;
/** Used as a reason, since otherwise an error with its stack would be created for each call. */
const CALLED_OFF = 'called off';

/**
 * The answer, the signal, or the time limit that the model does not enforce: the first, even if the model ignores signals.
 * @param timeoutMs time limit, in milliseconds
 * @throws ThoughtTreeError `aborted`, `timed-out`, or the model's error
 */
export async function answerInTime(
  model: Model,
  request: ModelRequest,
  { signal, ...how }: ModelCall,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): Promise<ModelAnswer> {
  // No AbortSignal.any: Node holds its signals and their listeners for as long as nothing is aborted.
  const stop = new AbortController();
  const done = new AbortController();
  let end = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    end = () => {
      stop.abort();
      const give = (): void => reject(stopError(signal, timeoutMs));
      if (model.settlesStop) void clock.sleep(SETTLING_MS, done.signal).then(give);
      else give();
    };
  });
  signal.addEventListener('abort', end, { once: true });
  if (!model.keepsTime)
    void clock.sleep(timeoutMs, done.signal).then(() => {
      if (!done.signal.aborted) end();
    });
  try {
    return await Promise.race([model.generate(request, { ...how, signal: stop.signal }), stopped]);
  } finally {
    signal.removeEventListener('abort', end);
    done.abort(CALLED_OFF);
  }
}

function stopError(signal: AbortSignal, timeoutMs: number): ThoughtTreeError {
  return signal.aborted
    ? new ThoughtTreeError('aborted', say.callStopped())
    : new ThoughtTreeError('timed-out', say.noAnswerInTime({ seconds: timeoutMs / 1000 }));
}
