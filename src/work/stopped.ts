import { ThoughtTreeError } from '../core/search/errors.ts';
import { stopped } from './messages.ts';

/** @throws ThoughtTreeError `aborted` if the search was stopped */
export function throwIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ThoughtTreeError('aborted', stopped());
}
