/** One measured figure, with its target if it has one. */
export interface Figure {
  readonly part: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: { readonly atMost: number } | { readonly atLeast: number };
  /** Its note: the plain form's figure, the worst of several, how it was measured. */
  readonly note?: string;
}

/** Tells whether a figure reaches its target; undefined if it has none. */
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

/** Options for a part of the benchmark. */
export interface PartOptions {
  /** Fewer repetitions and smaller trees, so that all parts together take a minute at most. */
  readonly quick: boolean;
  /** Reports progress. */
  readonly say: (text: string) => void;
  /** A file with Game of 24 puzzles, four numbers per line; random ones by default. */
  readonly puzzles?: string | undefined;
  /** A folder with public data sets; what needs one is left out without it. */
  readonly data?: string | undefined;
}

export type Part = (options: PartOptions) => Promise<Figure[]>;
