import { findingsIn } from '../../src/core/search/record/search-state.ts';
import type { SearchFile } from '../../src/core/search/search-file.ts';
import { lineageOf, nodeAt } from '../../src/core/tree/tree.ts';
import { openHeldSearch } from '../../src/engine-parts/opening/open-held-search.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { game24 } from '../../src/kinds/thoughts/tasks/game24.ts';
import { game24Model } from '../../test/support/game24/game24-model.ts';
import { createMemoryStore } from '../../test/support/memory-store.ts';
import { seededRandom, VirtualClock } from '../../test/support/virtual-clock.ts';

/** One search for a solution, and what it cost. */
export interface PuzzleRun {
  /** Whether it claims to be solved, and whether that is true. */
  readonly claimed: boolean;
  readonly solved: boolean;
  /** Calls sent to the model, by purpose; each is a request for one completion. */
  readonly calls: Readonly<Record<string, number>>;
  readonly tokens: { readonly prompt: number; readonly completion: number };
  readonly nodes: number;
}

/**
 * Runs `start PROBLEM --kind thoughts --size all --max-calls 1000` in this process: the same engine, its files in
 * memory, four slots. Everything is new for each puzzle except the model's seed.
 */
export async function runPuzzle(
  problem: string,
  seed: number,
  file: Pick<SearchFile, 'options'> & { readonly strategy?: string },
): Promise<PuzzleRun> {
  const store = createMemoryStore({ version: 1, kind: 'thoughts', title: problem, prompt: problem, ...file });
  const model = game24Model(seed);
  const clock = new VirtualClock();
  const limits = { size: 'all', guards: { calls: 1000 } } as const;
  const random = seededRandom(seed);
  const search = await openHeldSearch({
    kinds: KINDS,
    store,
    model,
    clock,
    random,
    folder: 'thought-trees/puzzle',
    limits,
  });
  await clock.run(search.run());
  const thoughts = findingsIn(search.results, 'thoughts');
  const { size } = search.tree;
  const last = nodeAt(search.tree, thoughts?.finishedPath.at(-1) ?? '');
  const steps = last ? lineageOf(last).map(({ title }) => title) : [];
  await search.close();
  const calls: Record<string, number> = {};
  const tokens = { prompt: 0, completion: 0 };
  for (const { purpose, prompt, completion } of model.log) {
    calls[purpose] = (calls[purpose] ?? 0) + 1;
    tokens.prompt += prompt;
    tokens.completion += completion;
  }
  const claimed = thoughts?.solved === true;
  // Without the task's hooks the answer is prose, so its steps are checked.
  const isExpression = file.options['task'] !== undefined && thoughts?.answer !== undefined;
  const solved = claimed && (isExpression ? isAnswer(thoughts.answer, problem) : isRight(problem, steps));
  return { claimed, solved, calls, tokens, nodes: size };
}

/** Tells whether all steps are right and end at 24: for searches that write no answer of their own. */
function isRight(problem: string, steps: readonly string[]): boolean {
  const thoughts = steps.map((content) => ({ content }));
  return game24.solved?.({ problem, thoughts }, AbortSignal.abort()) === true;
}

/** Tells whether an answer is 24 and uses each number of the problem once; checked without any of the engine's code. */
export function isAnswer(answer: string | undefined, problem: string): boolean {
  const [expression = '', result, ...more] = (answer ?? '').split('=').map((side) => side.trim());
  if (result !== '24' || more.length > 0 || !/^[\d+*/() -]{1,200}$/.test(expression)) return false;
  const inOrder = (text: string): string =>
    (text.match(/\d+/g) ?? [])
      .map(Number)
      .sort((a, b) => a - b)
      .join(' ');
  return inOrder(expression) === inOrder(problem) && Math.abs(numberOf(expression) - 24) < 1e-9;
}

function numberOf(expression: string): number {
  const tokens = expression.match(/\d+|[+*/()-]/g) ?? [];
  const sum = (): number => {
    let value = product();
    while (tokens[0] === '+' || tokens[0] === '-') value += tokens.shift() === '+' ? product() : -product();
    return value;
  };
  const product = (): number => {
    let value = factor();
    while (tokens[0] === '*' || tokens[0] === '/') value = tokens.shift() === '*' ? value * factor() : value / factor();
    return value;
  };
  const factor = (): number => {
    const token = tokens.shift();
    if (token !== '(') return Number(token);
    const value = sum();
    return tokens.shift() === ')' ? value : Number.NaN;
  };
  const value = sum();
  return tokens.length === 0 ? value : Number.NaN;
}
