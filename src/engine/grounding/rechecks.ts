import { SerialQueue } from '../../core/concurrency/serial-queue.ts';
import type { SearchContext } from '../search-context.ts';
import { type Apart, recheckCitations } from './recheck-citations.ts';

/** Rechecks of quotations after files have changed, one after the other. */
export class Rechecks {
  readonly #ctx: SearchContext;
  readonly #apart: Apart;
  readonly #end = new AbortController();
  /** By path, those that have not begun: they will see the current files. */
  readonly #waiting = new Map<string, Promise<number>>();
  readonly #wasRun: boolean;
  readonly #queue = new SerialQueue();
  #earlier: Promise<void> | undefined;

  constructor(ctx: SearchContext, apart: Apart) {
    this.#ctx = ctx;
    this.#apart = apart;
    this.#wasRun = ctx.history.past.hasBegun;
  }

  /** @returns the number of nodes whose marks changed */
  check(path: string): Promise<number> {
    const waiting = this.#waiting.get(path);
    if (waiting) return waiting;
    const done = this.#queue.run(async () => {
      this.#waiting.delete(path);
      return (await recheckCitations(this.#ctx, path, this.#apart, this.#end.signal)).length;
    });
    this.#waiting.set(path, done);
    return done;
  }

  /**
   * Checks citations of earlier runs against the files as they are now: once, and apart from all but commits, so that
   * an action's report can wait for it. A file that cannot be read or written is reported by whoever needs it.
   */
  sinceEarlier(): Promise<void> {
    this.#earlier ??= this.#wasRun ? this.#checkAll() : Promise.resolve();
    return this.#earlier;
  }

  async #checkAll(): Promise<void> {
    const { gate } = this.#ctx;
    await recheckCitations(this.#ctx, '', (work) => gate.alone(work), this.#end.signal).catch(() => []);
  }

  /** Ends the one under way before it writes again, and those that wait. */
  stop(): void {
    this.#end.abort();
  }
}
