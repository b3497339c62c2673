import type { CallPlace, FleetQueue } from '../../queue.ts';

/** They are deleted so long after they were used, in milliseconds: by then their words are on disk. */
const USED_MS = 10_000;

interface Used {
  readonly key: string;
  readonly at: number;
  /** The call that it answered, if somebody waited for it. */
  readonly call: CallPlace | undefined;
}

/** The answers of a search that are of no more use, until they are deleted from the queue with their calls. */
export class UsedAnswers {
  readonly #queue: FleetQueue;
  readonly #search: string;
  #used: Used[] = [];

  constructor(queue: FleetQueue, search: string) {
    this.#queue = queue;
    this.#search = search;
  }

  add(key: string, call?: CallPlace): void {
    this.#used.push({ key, at: performance.now(), call: call && { id: call.id, queue: call.queue } });
  }

  /** Tells whether there are some that were used a while ago; with `all`, any. */
  hasOld(all: boolean): boolean {
    return this.#old(all).length > 0;
  }

  /** Deletes those that were used a while ago; all where nobody writes their words any more. */
  async forget(all: boolean): Promise<void> {
    const old = new Set(this.#old(all));
    const keys = [...old].map(({ key }) => key);
    const calls = [...old].flatMap(({ call }) => call ?? []);
    await this.#queue.forget(this.#search, keys, calls);
    this.#used = this.#used.filter((each) => !old.has(each));
  }

  #old(all: boolean): Used[] {
    const until = performance.now() - (all ? 0 : USED_MS);
    return this.#used.filter(({ at }) => at <= until);
  }
}
