import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { Task } from '../../core/ports/task.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { decompositionFrom } from '../../core/search/thought-answers.ts';
import { PresetName, TaskName, THOUGHT_OPTIONS, ThoughtStrategy } from '../../core/search/thought-options.ts';
import { oneLine } from '../../core/text/text.ts';

const hook = z.custom<(...given: never[]) => unknown>(
  (value) => typeof value === 'function',
  'it has to be a function',
);

const { preset: _preset, task: _task, ...defaults } = THOUGHT_OPTIONS;

/** What a file of hooks has to export as `task`. */
const UserTask = z.strictObject({
  name: TaskName,
  preset: PresetName.optional(),
  defaults: z
    .strictObject({
      ...defaults,
      strategy: ThoughtStrategy.optional(),
      maxDepth: z.number().int().min(1).max(64).optional(),
    })
    .default({}),
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

/**
 * Loads a person's own hooks: a module that exports `task`. It is their code and runs with their rights, so its path
 * comes from their settings, and no file of the workspace is taken: that may have come with a clone.
 * @param path absolute
 * @throws ThoughtTreeError `bad-input` where it cannot be loaded or is not of that shape, saying what is wrong
 */
export async function loadUserTask(path: string, workspace: string): Promise<Task> {
  if (!isAbsolute(path)) throw refused(path, 'its path has to be absolute');
  try {
    const file = await realpath(path);
    if (isInside(file, await realpath(workspace)))
      throw refused(path, 'it lies in the workspace, and may have come with a clone; keep it elsewhere');
    const module = (await import(pathToFileURL(file).href)) as { readonly task?: unknown };
    const checked = UserTask.safeParse(module.task);
    if (!checked.success) throw refused(path, z.prettifyError(checked.error));
    return checkedTask(checked.data as unknown as Task);
  } catch (error) {
    throw isThoughtTreeError(error) ? error : refused(path, error instanceof Error ? error.message : String(error));
  }
}

const Said = z.string().max(20_000);
const Verdict = z.union([z.object({ ok: z.literal(true) }), z.object({ ok: z.literal(false), why: Said })]);

/** The same task, whose hooks throw where what they give is not of the shape that is asked of them. */
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

/** What their code says of a problem is for the person who wrote it down. */
function asProblem<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ThoughtTreeError('bad-input', `The task "${name}" does not take this problem: ${oneLine(why, 500)}`);
  }
}

function isInside(file: string, folder: string): boolean {
  const between = relative(folder, file);
  return between !== '..' && !between.startsWith(`..${sep}`) && !isAbsolute(between);
}

function refused(path: string, why: string): ThoughtTreeError {
  return new ThoughtTreeError('bad-input', `The task of ${path} is not used: ${why}.`);
}
