import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../../src/kinds/thoughts/strategy/draws.ts';
import type { Figure, PartOptions } from '../harness/figure.ts';
import { LearntOrder } from './learnt-order.ts';
import { type Answer, type PlanRow, planProblems, planRows, solvesBlocksworld } from './planbench.ts';

/** Dollars per million tokens of prompt and of answer: list prices of their providers, from memory, as of December 2024. */
const PRICES: Readonly<Record<string, readonly [prompt: number, answer: number]>> = {
  'claude-3-opus': [15, 75],
  'claude-3.5-sonnet': [3, 15],
  'gemini-1.5-flash': [0.075, 0.3],
  'gemini-1.5-pro': [1.25, 5],
  'gemini-pro': [0.5, 1.5],
  'gpt-3.5-turbo-instruct': [1.5, 2],
  'gpt-4-turbo': [10, 30],
  'gpt-4o': [2.5, 10],
  'llama-3.1-405b': [5.32, 16],
  'llama3-70b-8192': [0.59, 0.79],
  'o1-mini': [3, 12],
  'o1-preview': [15, 60],
  'qwen-qwq': [0.15, 0.6],
};
/** The data have characters. */
const CHARACTERS_A_TOKEN = 4;
/** What a first answer may have, for models that were not asked yet. */
const GUESSED_ANSWER = 100;
/** Reasoning that is paid for and not in the data, assumed for each call of an o1 model. */
const HIDDEN = [0, 1000, 3500] as const;
const SHUFFLES = 40;

/** The models that one would think of: prompts z(ero-shot) or o(ne-shot). */
const ELEVEN: ReadonlySet<string> = new Set(
  [
    'llama3-70b-8192 z',
    ...['gpt-4o', 'claude-3.5-sonnet', 'llama-3.1-405b', 'claude-3-opus'].flatMap((name) => [`${name} z`, `${name} o`]),
    'o1-mini z',
    'o1-preview z',
  ].values(),
);

/** A row with what each of its answers cost, and whether it is right; by the place of the problem. */
interface Priced {
  readonly name: string;
  readonly usd: readonly number[];
  readonly guess: readonly number[];
  readonly isRight: readonly boolean[];
}

/**
 * Blocksworld by a cascade of models with a sound verifier: one after the other is asked until a plan is right, in the best fixed
 * order that exists, and in one that is learnt on the way.
 */
export async function blocksworld({ data, say, quick }: PartOptions): Promise<Figure[]> {
  const folder = join(data ?? '', 'planbench');
  if (data === undefined || !existsSync(folder)) {
    say('Blocksworld is left out: --data FOLDER names none with planbench/');
    return [];
  }
  const rows = planRows(folder);
  const problems = planProblems(folder);
  const common = [...problems].filter(([number]) => rows.every(({ answers }) => answers.has(number)));
  const isRight = new Map(
    rows.map((row) => [
      row,
      common.map(([number, world]) => solvesBlocksworld(world, row.answers.get(number)?.plan ?? '')),
    ]),
  );
  const solved = common.filter((_, at) => rows.some((row) => isRight.get(row)?.[at])).length;
  const differs = differing(rows, problems);
  const figures: Figure[] = [
    {
      part: 'strategies',
      what: 'Blocksworld: problems solved by some row',
      value: solved,
      unit: '',
      target: { atLeast: 499 },
      note: `of ${common.length} that all ${rows.length} rows have; checked by a verifier of our own, which differs from the recorded verdicts in ${differs.length}: ${differs.join('; ')}`,
    },
  ];
  const sets = quick ? [true] : [true, false];
  for (const onlyEleven of sets)
    for (const hidden of HIDDEN) {
      const some = rows.filter((row) => !onlyEleven || ELEVEN.has(nameOf(row)));
      say(`Blocksworld: ${some.length} rows, ${hidden} hidden tokens`);
      const priced = some.map((row) =>
        pricedRow(
          row,
          common.map(([number]) => number),
          isRight.get(row) ?? [],
          hidden,
        ),
      );
      figures.push(...cascadeFigures(priced, hidden));
    }
  return figures;
}

function nameOf({ model, prompt }: PlanRow): string {
  return `${model} ${prompt[0]}`;
}

function differing(rows: readonly PlanRow[], problems: ReturnType<typeof planProblems>): string[] {
  return rows.flatMap((row) =>
    [...row.answers].flatMap(([number, { plan, correct }]) => {
      const world = problems.get(number);
      return !world || solvesBlocksworld(world, plan ?? '') === correct ? [] : [`${nameOf(row)} ${number}`];
    }),
  );
}

function pricedRow(row: PlanRow, numbers: readonly number[], isRight: readonly boolean[], hidden: number): Priced {
  const [prompt, answer] = PRICES[row.model] ?? [];
  if (prompt === undefined || answer === undefined) throw new Error(`No price for ${row.model}`);
  const more = row.model.startsWith('o1') ? hidden : 0;
  const usd = (characters: number, tokens: number): number =>
    ((characters / CHARACTERS_A_TOKEN) * prompt + tokens * answer) / 1e6;
  const answers = numbers.map((number) => row.answers.get(number) as Answer);
  return {
    name: nameOf(row),
    usd: answers.map((each) => usd(each.promptChars, each.answerChars / CHARACTERS_A_TOKEN + more)),
    guess: answers.map((each) => usd(each.promptChars, GUESSED_ANSWER)),
    isRight,
  };
}

function cascadeFigures(rows: readonly Priced[], hidden: number): Figure[] {
  const part = 'strategies';
  const alone = sum(rows.find(({ name }) => name === 'o1-preview z')?.usd ?? []);
  const fixed = bestFixedOrder(rows);
  const learnt = Array.from({ length: SHUFFLES }, (_, shuffle) => learntPrice(rows, shuffle) / fixed.usd);
  const mean = sum(learnt) / SHUFFLES;
  const about = `Blocksworld, ${rows.length} rows, ${hidden} hidden tokens`;
  const isAll = rows.length > ELEVEN.size;
  const most = hidden === 0 ? 25 : hidden === 3500 ? 8 : undefined;
  return [
    {
      part,
      what: `${about}: price over o1-preview alone, order learnt`,
      value: (100 * mean * fixed.usd) / alone,
      unit: '%',
      ...(most === undefined ? {} : { target: { atMost: most } }),
      note: `o1-preview alone $${alone.toFixed(2)}; best fixed order in hindsight ${((100 * fixed.usd) / alone).toFixed(1)} %: ${fixed.order.join(', ')}`,
    },
    {
      part,
      what: `${about}: learnt over best fixed order`,
      value: mean,
      unit: '×',
      target: { atMost: isAll ? 1.2 : 1.1 },
      note: `mean of ${SHUFFLES} shuffles, ${Math.min(...learnt).toFixed(2)} to ${Math.max(...learnt).toFixed(2)}`,
    },
  ];
}

/**
 * Returns the price of all problems where the order is learnt from nothing, problem by problem, in a shuffled order.
 */
function learntPrice(rows: readonly Priced[], shuffle: number): number {
  const random = seeded(77 + shuffle);
  const problems = (rows[0]?.usd ?? []).map((_, at) => at);
  for (let at = problems.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [problems[at], problems[other]] = [problems[other] as number, problems[at] as number];
  }
  const order = new LearntOrder(rows.length, random);
  let usd = 0;
  for (const problem of problems) {
    const left = new Set(rows.keys());
    while (left.size > 0) {
      const model = order.next(left, (each) => rows[each]?.guess[problem] ?? 0);
      const { usd: prices, isRight } = rows[model] as Priced;
      usd += prices[problem] as number;
      order.tell(model, isRight[problem] ? 1 : 0, prices[problem] as number);
      if (isRight[problem]) break;
      left.delete(model);
    }
  }
  return usd;
}

/**
 * The cheapest order of all, in hindsight: over all sets of rows, what it costs at least to have asked them. A problem is still
 * asked after a set if none of its rows solves it.
 */
function bestFixedOrder(rows: readonly Priced[]): { readonly usd: number; readonly order: readonly string[] } {
  const size = 1 << rows.length;
  const problems = rows[0]?.usd.length ?? 0;
  const solvers = Array.from({ length: problems }, (_, problem) =>
    rows.reduce((mask, { isRight }, row) => (isRight[problem] ? mask | (1 << row) : mask), 0),
  );
  // What it costs to ask a row about the problems that only rows of a set solve.
  const within = rows.map(({ usd }) => {
    const prices = new Float32Array(size);
    for (const [problem, mask] of solvers.entries()) prices[mask] = (prices[mask] ?? 0) + (usd[problem] ?? 0);
    for (let bit = 1; bit < size; bit <<= 1)
      for (let set = 0; set < size; set++)
        if (set & bit) prices[set] = (prices[set] as number) + (prices[set ^ bit] as number);
    return prices;
  });
  const least = new Float32Array(size).fill(Number.POSITIVE_INFINITY);
  least[0] = 0;
  const last = new Int8Array(size);
  for (let asked = 0; asked < size; asked++)
    for (let row = 0; row < rows.length; row++) {
      const next = asked | (1 << row);
      if (next === asked) continue;
      const usd = (least[asked] as number) + ((within[row] as Float32Array)[size - 1 - asked] as number);
      if (usd < (least[next] as number)) {
        least[next] = usd;
        last[next] = row;
      }
    }
  const order: string[] = [];
  for (let set = size - 1; set > 0; set ^= 1 << (last[set] as number))
    order.unshift(rows[last[set] as number]?.name ?? '');
  return { usd: least[size - 1] as number, order };
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
