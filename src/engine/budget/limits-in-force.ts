import type { Limits } from '../../core/search/limits.ts';

/** The limits of a search. New values apply to everybody from then on. */
export class LimitsInForce {
  #now: Limits;

  constructor(now: Limits) {
    this.#now = now;
  }

  get now(): Limits {
    return this.#now;
  }

  set(limits: Limits): void {
    this.#now = limits;
  }
}
