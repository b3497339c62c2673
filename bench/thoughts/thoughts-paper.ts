import { game24 } from '../../src/kinds/thoughts/tasks/game24.ts';
import { judge, propose } from '../../test/support/game24/game24-model.ts';
import { keyOf, type Numbers } from '../../test/support/game24/game24-solver.ts';
import { claimedNumbers } from '../../test/support/game24/game24-writing.ts';

const BEAM = 5;
const STEPS = 3;
const SAMPLES = 3;
/** The authors' values of judgements. */
const VALUES = { finished: 20, sure: 20, likely: 1, impossible: 0.001 } as const;

/** The results of the algorithm on some puzzles. */
export interface PaperRun {
  readonly solved: number;
  /** Requests; one that asks for three samples counts once. */
  readonly requests: number;
  /** Answers: one that asks for three samples counts three times. */
  readonly completions: number;
}

/**
 * The algorithm of the paper that Tree of Thoughts comes from, as in its authors' program: layer by layer, the best five
 * of all proposals are continued; each is judged separately, three times; a judgement is kept for all puzzles, by the
 * numbers left; repeated words in a layer are worth nothing; a last request per path writes the answer. Nothing checks
 * the arithmetic before that. It counts as solved if one of the five is a correct chain to 24, so that no answer is lost
 * by being written down wrongly.
 */
export function paperRun(puzzles: readonly string[], seed: number): PaperRun {
  const values = new Map<string, number>();
  const run = { solved: 0, requests: 0, completions: 0 };
  for (const problem of puzzles) {
    const asked = new Map<string, number>();
    let beam: string[][] = [[]];
    for (let step = 0; step < STEPS; step++) {
      const candidates = beam.flatMap((path) => {
        run.requests++;
        run.completions++;
        return proposals(problem, path, seed, asked);
      });
      beam = best(candidates, (numbers) => {
        const key = keyOf(numbers);
        const known = values.get(key);
        if (known !== undefined) return known;
        run.requests++;
        run.completions += SAMPLES;
        const value = sumOf(numbers, seed, `${problem} ${key}`);
        values.set(key, value);
        return value;
      });
    }
    run.requests += beam.length;
    run.completions += beam.length;
    if (beam.some((path) => isSolved(problem, path))) run.solved++;
  }
  return run;
}

function proposals(problem: string, path: readonly string[], seed: number, asked: Map<string, number>): string[][] {
  const numbers = claimedNumbers(problem, path) as Numbers;
  const key = `${problem} ${keyOf(numbers)}`;
  const time = asked.get(key) ?? 0;
  asked.set(key, time + 1);
  return propose(numbers, seed, key, time).map(({ content }) => [...path, content]);
}

/** Returns a stable sort by value, like theirs. */
function best(candidates: readonly string[][], value: (numbers: Numbers) => number): string[][] {
  const seen = new Set<string>();
  const valued = candidates.map((path) => {
    const words = path.join('\n');
    const isNew = !seen.has(words);
    seen.add(words);
    return { path, value: isNew ? value(claimedNumbers('', path) as Numbers) : 0 };
  });
  return valued
    .sort((a, b) => b.value - a.value)
    .slice(0, BEAM)
    .map(({ path }) => path);
}

function sumOf(numbers: Numbers, seed: number, key: string): number {
  let value = 0;
  for (let sample = 0; sample < SAMPLES; sample++) value += VALUES[judge(numbers, seed, key, sample)];
  return value;
}

function isSolved(problem: string, path: readonly string[]): boolean {
  const thoughts = path.map((content) => ({ content }));
  return game24.solved?.({ problem, thoughts }, AbortSignal.abort()) === true;
}
