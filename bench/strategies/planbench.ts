import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';

// PlanBench's Blocksworld (karthikv792/LLMs-Planning): problems, and what models answered to them.

const Problem = z.object({ problem: z.number().int(), text: z.string().max(20_000).optional() });
const Answer = z.object({
  problem: z.number().int(),
  model: z.string(),
  prompt: z.enum(['zero-shot', 'one-shot']),
  plan: z.string().nullable(),
  correct: z.boolean(),
  promptChars: z.number().int().nonnegative(),
  answerChars: z.number().int().nonnegative(),
});
export type Answer = z.infer<typeof Answer>;

/** The answers of one model to one form of prompt, by problem. */
export interface PlanRow {
  readonly model: string;
  readonly prompt: Answer['prompt'];
  readonly answers: ReadonlyMap<number, Answer>;
}

/** @param folder with `problems.jsonl.gz` and `answers.jsonl.gz` */
export function planRows(folder: string): PlanRow[] {
  const answers = linesOf(join(folder, 'answers.jsonl.gz'), Answer);
  return [...Map.groupBy(answers, ({ model, prompt }) => `${model} ${prompt}`).values()].map((some) => {
    const { model, prompt } = some[0] as Answer;
    return { model: model.replace(/_.*$/, ''), prompt, answers: new Map(some.map((each) => [each.problem, each])) };
  });
}

/** Returns the problems by number; those without a text are left out. */
export function planProblems(folder: string): Map<number, Blocksworld> {
  const problems = linesOf(join(folder, 'problems.jsonl.gz'), Problem);
  return new Map(
    problems.flatMap(({ problem, text }) => (text === undefined ? [] : [[problem, readBlocksworld(text)] as const])),
  );
}

function linesOf<T>(file: string, schema: z.ZodType<T>): T[] {
  const text = gunzipSync(readFileSync(file), { maxOutputLength: 100_000_000 }).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => schema.parse(JSON.parse(line)));
}

/** Blocks by colour: what each stands on, and what has to hold. */
export interface Blocksworld {
  /** Undefined where it stands on the table. */
  readonly on: ReadonlyMap<string, string | undefined>;
  readonly goal: readonly (readonly [above: string, below: string | undefined])[];
}

/** The letters of plans; texts name colours. */
const COLOURS: Readonly<Record<string, string>> = {
  a: 'red',
  b: 'blue',
  c: 'orange',
  d: 'yellow',
  e: 'white',
  f: 'magenta',
  g: 'black',
  h: 'cyan',
  i: 'green',
  j: 'violet',
  k: 'silver',
  l: 'gold',
};

/** Reads the last statement of a prompt; throws if it is not a whole Blocksworld. */
function readBlocksworld(text: string): Blocksworld {
  const statement = text.slice(text.lastIndexOf('[STATEMENT]'));
  const [, begin = '', end = ''] =
    /initial conditions I have that,? ([^.]*)\.\s*My goal is to have that ([^.]*)\./.exec(statement) ?? [];
  const pairs = (part: string): [string, string | undefined][] => [
    ...[...part.matchAll(/the (\w+) block is on top of the (\w+) block/g)].map(
      ([, above = '', below = '']): [string, string] => [above, below],
    ),
    ...[...part.matchAll(/the (\w+) block is on the table/g)].map(([, block = '']): [string, undefined] => [
      block,
      undefined,
    ]),
  ];
  const on = new Map(pairs(begin));
  const goal = pairs(end);
  const isWhole = [...on.values()].every((below) => below === undefined || on.has(below));
  if (on.size === 0 || goal.length === 0 || !isWhole) throw new Error(`No Blocksworld: ${statement.slice(0, 300)}`);
  return { on, goal };
}

const STEP = /^\s*\((pick-up|put-down|unstack|stack) (\w)(?: (\w))?\)\s*$/;

/**
 * Tells whether a plan can be carried out, step by step, and reaches the goal. Anything that is no step makes it wrong.
 */
export function solvesBlocksworld({ on: begin, goal }: Blocksworld, plan: string): boolean {
  const on = new Map(begin);
  let held: string | undefined;
  const isClear = (block: string): boolean => on.has(block) && ![...on.values()].includes(block);
  for (const line of plan.split('\n').filter((each) => each.trim() !== '')) {
    const [, action, first = '', second] = STEP.exec(line) ?? [];
    const block = COLOURS[first] ?? '';
    const other = second === undefined ? undefined : (COLOURS[second] ?? '');
    if (!begin.has(block) || (other !== undefined && !begin.has(other))) return false;
    if ((action === 'unstack' || action === 'stack') !== (other !== undefined)) return false;
    if (action === 'pick-up' || action === 'unstack') {
      if (held !== undefined || !isClear(block) || on.get(block) !== other) return false;
      on.delete(block);
      held = block;
    } else {
      if (held !== block || (other !== undefined && !isClear(other))) return false;
      on.set(block, other);
      held = undefined;
    }
  }
  return goal.every(([above, below]) => on.has(above) && on.get(above) === below);
}
