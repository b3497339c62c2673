import * as z from 'zod';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import type { KindHooks, OwnHooks } from '../../../engine/kind/kind-hooks.ts';
import type { ThoughtOptions } from '../face.ts';
import { problemRefused, taskNameTaken } from '../messages.ts';
import { decompositionFrom } from '../prompts/thought-answers.ts';
import { presetSchema, taskNameSchema, thoughtDefaultsSchema } from '../settings/options.ts';
import { findTask, findTaskOrStandIn, findTaskWith } from './find-task.ts';
import type { Task } from './task.ts';

const hook = z.custom<(...given: never[]) => unknown>((value) => typeof value === 'function', 'it must be a function');

/** The form of `task`, which a file of hooks has to export. */
const UserTask = z.strictObject({
  name: taskNameSchema,
  preset: presetSchema.optional(),
  defaults: thoughtDefaultsSchema.default({}),
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

/** Hooks of this kind are tasks. */
export const taskHooks: KindHooks = {
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
    ...(solved && { solved: async (path, signal) => z.boolean().parse(await solved(path, signal)) }),
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
