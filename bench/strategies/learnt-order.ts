import { type Random, randomBeta } from '../../src/kinds/thoughts/strategy/draws.ts';

/** What is known of a model: how often it brought what was wanted, and what its calls cost. */
interface Known {
  brought: number;
  calls: number;
  usd: number;
}

/** A single draw is wrong too often where calls are few: the mean of so many has a quarter of its spread. */
const DRAWS = 16;

/**
 * Learns which model to ask next, from nothing but what each brought and cost so far: draws of its chance (Beta, from 1 and 1)
 * over its mean price, and the highest is asked. A guess stands for a price that nobody has paid yet.
 */
export class LearntOrder {
  readonly #known: readonly Known[];
  readonly #random: Random;

  constructor(models: number, random: Random) {
    this.#known = Array.from({ length: models }, () => ({ brought: 0, calls: 0, usd: 0 }));
    this.#random = random;
  }

  /**
   * The model to ask next.
   * @param among at least one
   * @param guess what a first call of a model may cost, in dollars
   */
  next(among: Iterable<number>, guess: (model: number) => number): number {
    let best = -1;
    let highest = Number.NEGATIVE_INFINITY;
    for (const model of among) {
      const known = this.#known[model] as Known;
      const price = known.calls > 0 ? known.usd / known.calls : guess(model);
      const worth = this.#chance(known) / price;
      if (worth > highest) [best, highest] = [model, worth];
    }
    return best;
  }

  /** @param brought from 0 to 1 */
  tell(model: number, brought: number, usd: number): void {
    const known = this.#known[model] as Known;
    known.brought += brought;
    known.calls++;
    known.usd += usd;
  }

  #chance({ brought, calls }: Known): number {
    let sum = 0;
    for (let draw = 0; draw < DRAWS; draw++) sum += randomBeta(this.#random, brought + 1, calls - brought + 1);
    return sum / DRAWS;
  }
}
