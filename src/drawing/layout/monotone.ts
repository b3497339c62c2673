/** Something in a column, in rows. */
export interface Wish {
  readonly size: number;
  /** The distance below its top at which its lines end. */
  readonly attach: number;
  /** Where its lines should end. */
  readonly at: number;
  /** The weight of that, above 0. */
  readonly weight: number;
}

/**
 * The tops of things below each other that keep their order, do not overlap, and together are as near as possible to where
 * they should be: a weighted isotonic regression, by merging neighbours that are in each other's way.
 */
export function placedInOrder(wishes: readonly Wish[]): number[] {
  const offsets: number[] = [];
  let used = 0;
  for (const { size } of wishes) {
    offsets.push(used);
    used += size;
  }
  const runs: { sum: number; weight: number; count: number }[] = [];
  for (const [i, { at, attach, weight }] of wishes.entries()) {
    runs.push({ sum: (at - attach - (offsets[i] ?? 0)) * weight, weight, count: 1 });
    for (let last = runs.at(-1), before = runs.at(-2); last && before && mean(before) > mean(last); ) {
      runs.splice(-2, 2, {
        sum: before.sum + last.sum,
        weight: before.weight + last.weight,
        count: before.count + last.count,
      });
      [last, before] = [runs.at(-1), runs.at(-2)];
    }
  }
  const shifts = runs.flatMap((run) => Array<number>(run.count).fill(mean(run)));
  return offsets.map((offset, i) => offset + (shifts[i] ?? 0));
}

function mean({ sum, weight }: { readonly sum: number; readonly weight: number }): number {
  return sum / weight;
}
