import * as z from 'zod';
import type { KindHooks, OwnHooks, RunCheck } from '../../../core/kind/kind-hooks.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { renamedOptions } from '../../../core/search/search-file.ts';
import { oneLine } from '../../../core/text/text.ts';
import { THOUGHT_OPTIONS, type ThoughtOptions } from '../descriptor.ts';
import { problemRefused, taskNameTaken } from '../messages.ts';
import { presetSchema, taskNameSchema, thoughtDefaultsSchema } from '../options.ts';
import { decompositionFrom } from '../prompts/thought-answers.ts';
import { game24 } from './game24.ts';
import type { FindTask, Task, ThoughtPath } from './task.ts';

/** No hooks at all: only the model decides. */
const none: Task = { name: 'none', defaults: {} };

/** A person's additions to the built-in tasks, by flags and settings; nothing comes from a clone. */
export interface OwnTasks {
  /** The command of the task `command`; without it there is no such task. */
  readonly runCheck?: RunCheck | undefined;
  /** Hooks of their own; they cannot use the name of a built-in task. */
  readonly tasks?: readonly Task[] | undefined;
}

/** Returns the built-in tasks, and a person's own, by name. */
export function findTaskWith({ runCheck, tasks = [] }: OwnTasks): FindTask {
  const shipped = [game24, none, ...(runCheck ? [commandTask(runCheck)] : [])];
  const table = new Map([...tasks, ...shipped].map((task) => [task.name, task]));
  return (name) => table.get(name);
}

/** The tasks that need nothing from a person. */
export const findTask: FindTask = findTaskWith({});

/**
 * For reading or steering a search without making thoughts: a missing task is replaced by one that accepts nothing as a
 * solution, since only the task itself may.
 */
export const findTaskOrStandIn: FindTask = (name) => findTask(name) ?? { name, defaults: {}, solved: () => false };

const hook = z.custom<(...given: never[]) => unknown>((value) => typeof value === 'function', 'it must be a function');

/** The form of `task`, which a file of hooks has to export. */
const UserTask = z.strictObject({
  name: taskNameSchema,
  preset: presetSchema.optional(),
  defaults: thoughtDefaultsSchema.transform((given) => renamedOptions(THOUGHT_OPTIONS, given)).default({}),
  start: hook.optional(),
  decomposition: hook.optional(),
  wording: z
    .strictObject({ generate: z.string().max(4000).optional(), evaluate: z.string().max(4000).optional() })
    .optional(),
  verify: hook.optional(),
  state: hook.optional(),
  solved: hook.optional(),
  compose: hook.optional(),
});

const Said = z.string().max(20_000);
const Verdict = z.union([z.object({ ok: z.literal(true) }), z.object({ ok: z.literal(false), why: Said })]);
const Solved = z.union([z.boolean(), Verdict]);

/** Hooks of this kind are tasks. */
export const taskHooks: Omit<KindHooks, 'byData'> = {
  shipped: findTask,
  standIn: findTaskOrStandIn,
  named: (options) => (options as ThoughtOptions).task,
  with({ runCheck, exported }: OwnHooks) {
    const task = exported === undefined ? undefined : readUserTask(exported);
    if (task && (task.name === 'command' || findTask(task.name)))
      throw new ThoughtTreeError('bad-input', taskNameTaken({ task: task.name }));
    return { find: findTaskWith({ runCheck, tasks: task ? [task] : [] }), name: task?.name };
  },
};

/**
 * Checks the `task` export of a person's own module.
 * @throws Error saying what is wrong with it
 */
export function readUserTask(said: unknown): Task {
  const checked = UserTask.safeParse(said);
  if (!checked.success) throw new Error(z.prettifyError(checked.error));
  return checkedTask(checked.data as unknown as Task);
}

/** Wraps a task so that its hooks throw if their results do not have the required form. */
function checkedTask(task: Task): Task {
  const { start, decomposition, verify, state, solved, compose, ...rest } = task;
  return {
    ...rest,
    ...(start && { start: (problem) => asProblem(task.name, () => Said.parse(start(problem))) }),
    ...(decomposition && { decomposition: (problem) => decompositionFrom(decomposition(problem)) }),
    ...(verify && { verify: async (path, signal) => Verdict.parse(await verify(path, signal)) }),
    ...(state && { state: (path) => Said.optional().parse(state(path)) }),
    ...(solved && { solved: async (path, signal) => Solved.parse(await solved(path, signal)) }),
    ...(compose && { compose: (path) => Said.optional().parse(compose(path)) }),
  };
}

/** Errors of their code about a problem are for the person who wrote the problem. */
function asProblem<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ThoughtTreeError('bad-input', problemRefused({ task: name, why: oneLine(why, 500) }));
  }
}

/**
 * A command decides: a path is a solution if it exits with code 0. It receives the problem and the thoughts as JSON on its
 * standard input, `{"problem": "…", "thoughts": ["…"]}`, and never as command-line arguments.
 */
export function commandTask(runCheck: RunCheck): Task {
  return {
    name: 'command',
    defaults: {},
    solved: async (path, signal) => {
      const { exitCode, output } = await runCheck(inputOf(path), signal);
      if (exitCode === 0) return true;
      // A check that was stopped says nothing of the thought.
      return exitCode === undefined ? false : { ok: false, why: `It exits with ${exitCode}.\n${endOf(output)}`.trim() };
    },
  };
}

/** As much as a model is shown of what a check printed, in characters; mistakes are told at the end. */
const LONGEST_TOLD = 2000;

function endOf(output: string): string {
  const text = output.trim();
  return text.length > LONGEST_TOLD ? `… ${text.slice(-LONGEST_TOLD)}` : text;
}

function inputOf({ problem, thoughts }: ThoughtPath): string {
  return `${JSON.stringify({ problem, thoughts: thoughts.map(({ content }) => content) })}\n`;
}
