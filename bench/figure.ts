/** One measured figure, with what it has to reach where something has to be reached. */
export interface Figure {
  readonly part: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: { readonly atMost: number } | { readonly atLeast: number };
  /** What belongs beside it: the plain form's figure, the worst of several, how it was measured. */
  readonly note?: string;
}

/** Whether a figure reaches its target; undefined where it has none. */
export function reaches({ value, target }: Figure): boolean | undefined {
  if (!target) return undefined;
  return 'atMost' in target ? value <= target.atMost : value >= target.atLeast;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** How a part of the benchmark is run. */
export interface PartOptions {
  /** Fewer repetitions and smaller trees, so that all parts together take a minute at most. */
  readonly quick: boolean;
  /** Tells what is being done, for whoever waits. */
  readonly say: (text: string) => void;
  /** A file with Game of 24 puzzles, four numbers a line; some are drawn where none is named. */
  readonly puzzles?: string | undefined;
}

export type Part = (options: PartOptions) => Promise<Figure[]>;
