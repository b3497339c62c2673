/** After so many failed picks in a row the best open leaf is used, until the next attempt. */
const PATIENCE = 2;

/** Picks that failed in a row: after too many, nobody asks for one before some work was done without. */
export class PickFailures {
  #inARow = 0;
  #expansionsSince = 0;

  get areTooMany(): boolean {
    return this.#inARow >= PATIENCE;
  }

  /**
   * Tells whether a pick may be asked for now.
   * @param pause the number of expansions until the next attempt
   */
  mayPick(pause: number): boolean {
    if (this.areTooMany && this.#expansionsSince < pause) return false;
    if (this.areTooMany) this.forget();
    return true;
  }

  add(): void {
    this.#inARow++;
    this.#expansionsSince = 0;
  }

  /** One succeeded. */
  forget(): void {
    this.#inARow = 0;
  }

  /** A node was expanded. */
  expanded(): void {
    this.#expansionsSince++;
  }
}
