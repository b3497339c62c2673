import { readFileSync } from 'node:fs';
import { readProblem } from '../../src/kinds/thoughts/tasks/game24.ts';
import { canMake24, whole } from '../../test/support/game24/game24-solver.ts';
import { chance } from '../../test/support/servers/server-random.ts';

const HIGHEST = 13;

/**
 * The puzzles of a file, one per line.
 * @throws ThoughtTreeError `bad-input` if a line is not a puzzle
 */
export function puzzlesIn(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => readProblem(line).join(' '));
}

/** Returns a random sample of the 1,362 solvable puzzles with numbers from 1 to 13, by a seed. */
export function samplePuzzles(count: number, seed: number): string[] {
  const drawn = fours().map((four) => ({ four, place: chance('puzzle', seed, ...four) }));
  const puzzles: string[] = [];
  for (const { four } of drawn.sort((a, b) => a.place - b.place)) {
    if (puzzles.length === count) break;
    if (canMake24(whole(four))) puzzles.push(four.join(' '));
  }
  return puzzles;
}

/** Returns all four numbers in rising order. */
function fours(): number[][] {
  const grow = (some: readonly number[][]): number[][] =>
    some.flatMap((each) => {
      const from = each.at(-1) ?? 1;
      return Array.from({ length: HIGHEST - from + 1 }, (_, i) => [...each, from + i]);
    });
  return grow(grow(grow(grow([[]]))));
}
