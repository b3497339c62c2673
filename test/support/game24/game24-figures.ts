/** How often something is so, by how many numbers are left. */
type ByNumbersLeft<T> = Readonly<Record<number, T>>;

/** One sample of the judge: how often it says `sure` and `likely`; the rest is `impossible`. */
interface Verdicts {
  readonly sure: number;
  readonly likely: number;
}

// How GPT-4 proposed and judged on the puzzles of ranks 901 to 1000, computed from the run that the authors of Tree of
// Thoughts published, the truth found by an exact solver.

/** By the numbers left in the state that is judged, and whether 24 can be reached from it. */
export const JUDGE: ByNumbersLeft<{ readonly can: Verdicts; readonly cannot: Verdicts }> = {
  3: { can: { sure: 0.399, likely: 0.529 }, cannot: { sure: 0.002, likely: 0.851 } },
  2: { can: { sure: 0.987, likely: 0.002 }, cannot: { sure: 0, likely: 0.258 } },
  1: { can: { sure: 1, likely: 0 }, cannot: { sure: 0, likely: 0.021 } },
};

/** By the numbers left in the state that is gone on from: how often one next state is among what is proposed. */
export const PROPOSED: ByNumbersLeft<{ readonly can: number; readonly cannot: number; readonly broken: number }> = {
  4: { can: 0.44, cannot: 0.36, broken: 0.03 },
  3: { can: 0.65, cannot: 0.5, broken: 0.06 },
  2: { can: 0.94, cannot: 0.8, broken: 0.3 },
};

/** Proposals for one state, on average. */
export const PROPOSALS: ByNumbersLeft<number> = { 4: 9.4, 3: 6.5, 2: 4.4 };

/** The part of all proposals whose arithmetic is wrong. */
export const WRONG = 0.13;

export const SCORES = { finished: 10, sure: 9, likely: 6, impossible: 1.5 } as const;

/** How often a proposal is said a second time in the same answer: what makes as many as `PROPOSALS`. */
export const REPEATED: ByNumbersLeft<number> = { 4: 0.31, 3: 0.36, 2: 0.4 };
