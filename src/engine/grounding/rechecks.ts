import type { SearchContext } from '../search-context.ts';
import { type Apart, recheckCitations } from './recheck-citations.ts';

/** Rechecks of quotations after files have changed, one after the other. */
export class Rechecks {
  readonly #ctx: SearchContext;
  readonly #apart: Apart;
  readonly #end = new AbortController();
  /** By path, those that have not begun: they will see the current files. */
  readonly #waiting = new Map<string, Promise<number>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(ctx: SearchContext, apart: Apart) {
    this.#ctx = ctx;
    this.#apart = apart;
  }

  /** @returns the number of nodes whose marks changed */
  check(path: string): Promise<number> {
    const waiting = this.#waiting.get(path);
    if (waiting) return waiting;
    const done = this.#last.then(async () => {
      this.#waiting.delete(path);
      return (await recheckCitations(this.#ctx, path, this.#apart, this.#end.signal)).length;
    });
    this.#waiting.set(path, done);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Ends the current one before its next write, and those that wait. */
  stop(): void {
    this.#end.abort();
  }
}
