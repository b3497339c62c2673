/** Measures how much of something a set of its weighted parts covers. A set is bits of a number. */
export class Coverage {
  readonly total: number;
  readonly #weights: Float64Array;
  readonly #known = new Map<number, number>();

  constructor(weights: Float64Array) {
    this.#weights = weights;
    this.total = weights.reduce((sum, weight) => sum + weight, 0);
  }

  /** From 0 to 1 for all of it. */
  of(parts: number): number {
    const known = this.#known.get(parts);
    if (known !== undefined) return known;
    let sum = 0;
    this.#weights.forEach((weight, place) => {
      if ((parts >>> place) & 1) sum += weight;
    });
    const share = this.total === 0 ? 0 : sum / this.total;
    this.#known.set(parts, share);
    return share;
  }
}
