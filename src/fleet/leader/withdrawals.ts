import { setImmediate, setTimeout } from 'node:timers/promises';
import type { CallPlace, FleetQueue } from '../queue.ts';

/** When it is asked for, as long as nothing is heard of it, in milliseconds: a stop has to reach a call within two seconds. */
const ASKED_MS = [0, 500, 1000, 1500];

interface Batch {
  readonly calls: CallPlace[];
  /** Those that nobody had taken. */
  readonly free: Promise<ReadonlySet<string>>;
}

/**
 * The calls of a search that are stopped. All that are stopped at the same moment are withdrawn together, as there may be
 * thousands. A connection may be silent, as after a change of networks, and its statement in vain only after many seconds: so
 * it is asked for once more beside it, which goes by another connection.
 */
export class Withdrawals {
  readonly #queue: Pick<FleetQueue, 'withdraw'>;
  #next: Batch | undefined;

  constructor(queue: Pick<FleetQueue, 'withdraw'>) {
    this.#queue = queue;
  }

  /**
   * Whether nobody had taken the call. Of one that was withdrawn without a reply, that is not known: it counts as taken.
   * @throws AggregateError if it was asked for in vain
   */
  async withdraw(call: CallPlace): Promise<boolean> {
    this.#next ??= this.#begin();
    const { calls, free } = this.#next;
    calls.push(call);
    return (await free).has(call.id);
  }

  #begin(): Batch {
    const calls: CallPlace[] = [];
    const free = setImmediate().then(() => {
      this.#next = undefined;
      return this.#ask(calls);
    });
    return { calls, free };
  }

  async #ask(calls: readonly CallPlace[]): Promise<ReadonlySet<string>> {
    const heard = new AbortController();
    const asked = ASKED_MS.map(async (ms) => {
      if (ms > 0) await setTimeout(ms, undefined, { signal: heard.signal });
      return await this.#queue.withdraw(calls);
    });
    return await Promise.any(asked).finally(() => heard.abort());
  }
}
