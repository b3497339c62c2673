/** Two ways of solving, compared on the same problems. */
export interface Paired {
  /** The number of problems that both came to the end of. */
  readonly problems: number;
  /** Problems that the first solves more often than the second, and the other way round. */
  readonly wins: number;
  readonly losses: number;
  /** The first's share of solved problems minus the second's, from −1 to 1. */
  readonly difference: number;
  /** The normal 95 % interval of that; undefined where it would have no width, since all are alike. */
  readonly interval: readonly [low: number, high: number] | undefined;
  /** How often chance alone makes wins and losses at least as unequal: McNemar's exact test, two-sided. */
  readonly p: number;
}

/** Of a normal distribution, 95 % are within so many standard errors. */
const NORMAL_95 = 1.959964;
/** Below it, two-sided, a difference counts as found. */
export const FOUND_BELOW = 0.05;

/**
 * Compares two ways by the shares, from 0 to 1, in which each solved each problem: 0 or 1, or between them where a problem was
 * tried several times. A problem counts once, since its tries depend on each other.
 * @param shares at least one pair
 */
export function pairedOf(shares: readonly (readonly [first: number, second: number])[]): Paired {
  const differences = shares.map(([first, second]) => first - second);
  const problems = differences.length;
  const difference = differences.reduce((sum, each) => sum + each, 0) / problems;
  const squares = differences.reduce((sum, each) => sum + (each - difference) ** 2, 0);
  const half = NORMAL_95 * Math.sqrt(squares / (problems - 1) / problems);
  const wins = differences.filter((each) => each > 0).length;
  const losses = differences.filter((each) => each < 0).length;
  const interval = half > 0 ? ([difference - half, difference + half] as const) : undefined;
  return { problems, wins, losses, difference, interval, p: exactMcNemar(wins, losses) };
}

/**
 * Returns the two-sided probability that of so many fair coins at most `min(wins, losses)`, or as many of the other
 * side, fall so.
 */
export function exactMcNemar(wins: number, losses: number): number {
  const all = wins + losses;
  // In logarithms, since half to the power of many thousands is 0.
  let term = -all * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= Math.min(wins, losses); k++) {
    tail += Math.exp(term);
    term += Math.log((all - k) / (k + 1));
  }
  return Math.min(1, 2 * tail);
}
