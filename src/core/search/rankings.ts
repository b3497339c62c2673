/** The place of a ranking among those that are asked for side by side, about different nodes. */
export interface Beside {
  /** Counts from 1, in the order in which they are asked for. */
  readonly nth: number;
  /** The number of them that hold at a time; older ones are outdated. */
  readonly kept: number;
}

/** The maximum of `kept`. */
export const MOST_BESIDE = 64;

/**
 * The rankings that hold. One that was asked for alone replaces all others. Those that were asked for side by side make one:
 * first what each has first, of the latest first, then what each has second, and so on. So their order depends on when they
 * were asked for, and never on which came first.
 */
export class Rankings<T> {
  /** The rankings before any that are side by side. */
  #before: readonly T[] = [];
  /** The latest first. */
  #beside: { readonly nth: number; readonly names: readonly T[] }[] = [];
  #all: readonly T[] | undefined;

  add(names: readonly T[], beside?: Beside): void {
    this.#all = undefined;
    if (!beside) {
      this.#before = names;
      this.#beside = [];
      return;
    }
    const { nth, kept } = beside;
    const others = this.#beside.filter((each) => each.nth !== nth);
    const latest = [...others, { nth, names }].sort((a, b) => b.nth - a.nth);
    if (latest.length > kept) this.#before = [];
    this.#beside = latest.slice(0, kept);
  }

  /** Those of a run that is over become one: the next run counts anew. */
  settle(): void {
    this.add(this.all);
  }

  /** Gives what is ranked other names. */
  rename(rename: (name: T) => T): void {
    this.#all = undefined;
    this.#before = this.#before.map(rename);
    this.#beside = this.#beside.map(({ nth, names }) => ({ nth, names: names.map(rename) }));
  }

  /** All that is ranked, most important first, without repetitions. */
  get all(): readonly T[] {
    this.#all ??= this.#beside.length === 0 ? this.#before : this.#merged();
    return this.#all;
  }

  #merged(): T[] {
    const lists = [...this.#beside.map(({ names }) => names), this.#before];
    const longest = Math.max(...lists.map(({ length }) => length));
    const merged = new Set<T>();
    for (let place = 0; place < longest; place++)
      for (const list of lists) if (place < list.length) merged.add(list[place] as T);
    return [...merged];
  }
}
