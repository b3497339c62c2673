interface Gate {
  readonly users: number[];
  missing: number;
  isTrue: boolean;
}

/**
 * Statements that follow from each other: each is true once all, or any, of those that it rests on are. What rests only on
 * itself is not true. Takes time in proportion to the number of statements and of what they rest on.
 */
export class AndOr {
  readonly #gates: Gate[] = [];
  readonly #new: number[] = [];

  /** A new statement, not true yet. */
  add(): number {
    return this.#gates.push({ users: [], missing: 1, isTrue: false }) - 1;
  }

  /** True once all of these are; at once, if there are none. */
  all(gate: number, inputs: readonly number[]): void {
    this.#connect(gate, inputs, inputs.length);
  }

  /** True once any of these is; never, if there are none. */
  any(gate: number, inputs: readonly number[]): void {
    this.#connect(gate, inputs, 1);
  }

  /** Which statements are true. */
  settle(): (gate: number) => boolean {
    for (let at = this.#new.pop(); at !== undefined; at = this.#new.pop())
      for (const user of this.#gates[at]?.users ?? []) this.#count(user);
    return (gate) => this.#gates[gate]?.isTrue === true;
  }

  #connect(gate: number, inputs: readonly number[], missing: number): void {
    const found = this.#gates[gate] as Gate;
    found.missing = missing;
    if (missing === 0) this.#hold(gate, found);
    for (const input of inputs) this.#gates[input]?.users.push(gate);
  }

  #count(gate: number): void {
    const found = this.#gates[gate] as Gate;
    found.missing--;
    if (found.missing === 0) this.#hold(gate, found);
  }

  #hold(gate: number, found: Gate): void {
    found.isTrue = true;
    this.#new.push(gate);
  }
}
