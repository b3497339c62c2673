import { setImmediate } from 'node:timers/promises';
import { insistently } from '../insistently.ts';
import type { CallPlace, FleetQueue } from '../queue.ts';

/** A stop has to reach a call within two seconds; in milliseconds. */
const ASKED_MS = [0, 500, 1000, 1500];

interface Batch {
  readonly calls: CallPlace[];
  /** Those that nobody had taken. */
  readonly free: Promise<ReadonlySet<string>>;
}

/**
 * The calls of a search that are stopped. All that are stopped at the same moment are withdrawn together, as there may be
 * thousands.
 */
export class Withdrawals {
  readonly #queue: Pick<FleetQueue, 'withdraw'>;
  #next: Batch | undefined;

  constructor(queue: Pick<FleetQueue, 'withdraw'>) {
    this.#queue = queue;
  }

  /**
   * Tells whether nobody had taken the call. Of one that was withdrawn without a reply, that is not known: it counts as
   * taken.
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
      return insistently(ASKED_MS, () => this.#queue.withdraw(calls));
    });
    return { calls, free };
  }
}
