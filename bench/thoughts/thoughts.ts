import type { SearchFile } from '../../src/core/search/search-file.ts';
import type { Figure, PartOptions } from '../harness/figure.ts';
import { inChild } from '../harness/in-child.ts';
import { puzzlesIn, samplePuzzles } from './game24-puzzles.ts';
import { paperRun } from './thoughts-paper.ts';
import { type PuzzleRun, runPuzzle } from './thoughts-run.ts';
import type { ThoughtScaleResult } from './thoughts-scale-child.ts';

type Options = SearchFile['options'];
interface Row {
  readonly name: string;
  readonly file: { readonly strategy?: string; readonly options: Options };
  /** Whether it is the row that has to reach the targets. */
  readonly isOurs?: boolean;
  /** The maximum number of seeds, if a run takes long. */
  readonly seeds?: number;
}

const STRATEGIES = ['best-first', 'breadth-first', 'depth-first'] as const;
/** Those that judge child by child. */
const BY_CHILD = ['adaptive', 'uct'] as const;
/** Without hooks: the task's settings, so that only the hooks are missing. */
const BARE: Options = { candidates: 12, maxDepth: 3, samples: 3, threshold: 1 };

const ROWS: readonly Row[] = [
  { name: 'as the task has it', file: { options: { task: 'game24' } }, isOurs: true },
  { name: 'breadth-first', file: { strategy: 'breadth-first', options: { task: 'game24' } } },
  { name: 'breadth-first, beam 5', file: { strategy: 'breadth-first', options: { task: 'game24', beam: 5 } } },
  { name: 'depth-first', file: { strategy: 'depth-first', options: { task: 'game24' } } },
  {
    name: 'depth-first, threshold 1',
    file: { strategy: 'depth-first', options: { task: 'game24', threshold: 1 } },
    seeds: 2,
  },
  ...BY_CHILD.map((strategy) => ({ name: strategy, file: { strategy, options: { task: 'game24' } } })),
  ...STRATEGIES.map((strategy) => ({ name: `${strategy}, no hooks`, file: { strategy, options: BARE } })),
];

/**
 * The Game of 24 with a scripted model that errs as GPT-4 did: the paper's own algorithm, then the engine with each
 * strategy, with the task's hooks and without; and the cost of the engine itself per node.
 */
export async function thoughts({ quick, say, puzzles: path }: PartOptions): Promise<Figure[]> {
  const all = path === undefined ? samplePuzzles(100, 1) : puzzlesIn(path);
  const where = path === undefined ? 'drawn from all that can be solved; name a file with --puzzles' : 'from the file';
  const puzzles = quick ? all.slice(0, 20) : all;
  const seeds = quick ? [1] : [1, 2, 3, 4, 5];
  say(`${puzzles.length} puzzles ${where}; ${seeds.length} seeds`);
  const figures = paperFigures(puzzles, seeds);
  for (const row of ROWS) {
    say(row.name);
    const runs: PuzzleRun[][] = [];
    for (const seed of seeds.slice(0, row.seeds))
      runs.push(await inTurn(puzzles, (puzzle) => runPuzzle(puzzle, seed, row.file)));
    // Twenty puzzles and one seed are too few to compare with a target.
    figures.push(...rowFigures({ ...row, isOurs: row.isOurs === true && !quick }, runs, where));
  }
  return [...figures, ...(await scaleFigures(quick, say))];
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

function paperFigures(puzzles: readonly string[], seeds: readonly number[]): Figure[] {
  const runs = seeds.map((seed) => paperRun(puzzles, seed));
  const a = (of: 'requests' | 'completions'): number => mean(runs.map((run) => run[of])) / puzzles.length;
  const part = 'thoughts';
  const solved = runs.map((run) => (100 * run.solved) / puzzles.length);
  const note = `by seed ${solved.map(short).join(', ')}`;
  return [
    { part, what: "the paper's algorithm: solved", value: mean(solved), unit: '%', note },
    { part, what: "the paper's algorithm: requests a puzzle", value: a('requests'), unit: '' },
    { part, what: "the paper's algorithm: completions a puzzle", value: a('completions'), unit: '' },
  ];
}

function rowFigures({ name, isOurs }: Row, runs: readonly (readonly PuzzleRun[])[], where: string): Figure[] {
  const part = 'thoughts';
  const every = runs.flat();
  const percent = (of: (run: PuzzleRun) => boolean, some: readonly PuzzleRun[]): number =>
    (100 * some.filter(of).length) / some.length;
  const calls = every.map(callsOf);
  const purposes = [...new Set(every.flatMap((run) => Object.keys(run.calls)))];
  const byPurpose = purposes.map((each) => `${each} ${short(mean(every.map((run) => run.calls[each] ?? 0)))}`);
  const wrong = percent(({ claimed, solved }) => claimed && !solved, every);
  const bySeed = runs.map((some) => short(percent(({ solved }) => solved, some))).join(', ');
  const callsBySeed = runs.map((some) => short(mean(some.map(callsOf)))).join(', ');
  const tokens = (of: 'prompt' | 'completion'): number => mean(every.map((run) => run.tokens[of]));
  return [
    {
      part,
      what: `${name}: solved`,
      value: percent(({ solved }) => solved, every),
      unit: '%',
      ...(isOurs ? { target: { atLeast: 97 } } : {}),
      note: `by seed ${bySeed}; said to be solved and is not ${short(wrong)} %; ${where}`,
    },
    {
      part,
      what: `${name}: calls a puzzle`,
      value: mean(calls),
      unit: '',
      ...(isOurs ? { target: { atMost: 11 } } : {}),
      note: `${byPurpose.join(', ')}; by seed ${callsBySeed}; at most ${Math.max(...calls)}`,
    },
    {
      part,
      what: `${name}: tokens a puzzle`,
      value: tokens('prompt') + tokens('completion'),
      unit: '',
      note: `${short(tokens('prompt'))} prompt, ${short(tokens('completion'))} completion; ${short(mean(every.map(({ nodes }) => nodes)))} nodes`,
    },
  ];
}

function callsOf({ calls }: PuzzleRun): number {
  return Object.values(calls).reduce((sum, count) => sum + count, 0);
}

async function scaleFigures(quick: boolean, say: PartOptions['say']): Promise<Figure[]> {
  const part = 'thoughts';
  const figures: Figure[] = [];
  const sizes = quick ? [100, 1000] : [1000, 100_000];
  for (const strategy of [...STRATEGIES, ...BY_CHILD]) {
    say(`${strategy}, trees of ${sizes.join(' and ')} nodes`);
    const results = await inTurn(sizes, (size) =>
      inChild<ThoughtScaleResult>(new URL('thoughts-scale-child.ts', import.meta.url), strategy, size),
    );
    for (const { nodes, microseconds } of results)
      figures.push({
        part,
        what: `${strategy}: processor time a node, ${nodes} nodes`,
        value: microseconds,
        unit: 'µs',
      });
    const [small, large] = results.map(({ microseconds }) => microseconds) as [number, number];
    const note = `${results[1]?.nodes} over ${results[0]?.nodes} nodes`;
    figures.push({
      part,
      what: `${strategy}: processor time a node`,
      value: large / small,
      unit: '×',
      target: { atMost: 2 },
      note,
    });
  }
  return figures;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}
