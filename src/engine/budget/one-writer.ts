import type { Model, ModelRequest } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { workStopped } from '../messages.ts';

/** Lets one call at a time change the workspace: two that write there would undo each other's changes. */
export class OneWriter {
  #last: Promise<void> = Promise.resolve();

  /**
   * Waits until no other call may change the workspace; not at all if this one may not.
   * @returns what ends its turn
   * @throws ThoughtTreeError `aborted` if the work is stopped meanwhile
   */
  async enter(request: ModelRequest, model: Model, signal: AbortSignal): Promise<() => void> {
    if (!model.changesWorkspace || request.workplace) return () => undefined;
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = before.then(() => promise);
    const stopped = Promise.withResolvers<void>();
    const stop = (): void => stopped.resolve();
    signal.addEventListener('abort', stop, { once: true });
    if (!signal.aborted) await Promise.race([before, stopped.promise]);
    signal.removeEventListener('abort', stop);
    if (!signal.aborted) return resolve;
    resolve();
    throw new ThoughtTreeError('aborted', workStopped(), { charged: false });
  }
}
