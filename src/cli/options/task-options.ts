import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { KindHooks } from '../../engine/kind/kind-hooks.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import { commandWords } from '../../searches/tasks/command-words.ts';
import { COMMAND_TASK, type OwnTasks, openOwnTasks } from '../../searches/tasks/own-tasks.ts';
import { checkNeeded, checkOfOtherTask, hooksOfOtherTask, timeoutWithoutCheck } from '../messages.ts';
import { l10n } from '../terminal/translation.ts';
import { number } from './options.ts';

/** For kinds without tasks. */
const NONE: OwnTasks = { findHooks: () => undefined, hooksName: undefined };

/** Options about tasks on the command line. They are not kept, so that a resume has to repeat them. */
export interface TaskFlags {
  /** The command that decides. */
  readonly check?: string;
  /** Time limit for one run of it, in seconds. */
  readonly checkTimeout?: number;
  /** The file with their own hooks. */
  readonly hooks?: string;
}

/** Their names, without the dashes. */
export const TASK_FLAGS = ['check', 'check-timeout', 'hooks'] as const;

/** Adds them to a command; they apply to the kinds whose searches use hooks. */
export function addTaskOptions(command: Command, kinds: Kinds): Command {
  const takers = kinds.flatMap(({ face }) => (face.takesHooks ? [face.name] : []));
  if (takers.length === 0) return command;
  const of = takers.join(', ');
  return command
    .option(
      '--check <command>',
      `${of}: ${l10n.t('the command that accepts a solution by exiting with 0, as in "npm test"')}`,
    )
    .option(
      '--check-timeout <seconds>',
      `${of}: ${l10n.t('the longest it may take, in seconds (default: 60)')}`,
      number(0.001, 86_400),
    )
    .option('--hooks <file>', `${of}: ${l10n.t('a module outside the folder that exports a task of your own')}`);
}

/**
 * The tasks defined by these options. Typing the command is the consent to exactly that command: it runs without a
 * shell, in the folder that is searched.
 * @throws ThoughtTreeError `bad-input` if the command or the hooks cannot be used
 */
export async function tasksFrom(
  { check, checkTimeout, hooks }: TaskFlags,
  workspace: string,
  kindHooks: KindHooks | undefined,
): Promise<OwnTasks> {
  if (!kindHooks) return NONE;
  if (checkTimeout !== undefined && check === undefined) throw new ThoughtTreeError('bad-input', timeoutWithoutCheck());
  return await openOwnTasks({
    kindHooks,
    workspace,
    isTrusted: true,
    consent: async () => true,
    check: check === undefined ? undefined : commandWords(check),
    checkTimeoutMs: checkTimeout === undefined ? undefined : checkTimeout * 1000,
    hooks: hooks === undefined ? undefined : resolve(hooks),
  });
}

/**
 * The intended task: the named one, else the one that the other options are for.
 * @throws ThoughtTreeError `bad-input` if they contradict each other
 */
export function taskNamed(
  named: string | undefined,
  { check }: TaskFlags,
  { hooksName }: OwnTasks,
): string | undefined {
  const task = named ?? hooksName ?? (check === undefined ? undefined : COMMAND_TASK);
  if (task === COMMAND_TASK && check === undefined) throw new ThoughtTreeError('bad-input', checkNeeded());
  if (task !== COMMAND_TASK && check !== undefined)
    throw new ThoughtTreeError('bad-input', checkOfOtherTask({ own: COMMAND_TASK, task: task ?? '' }));
  if (hooksName !== undefined && task !== hooksName)
    throw new ThoughtTreeError('bad-input', hooksOfOtherTask({ own: hooksName, task: task ?? '' }));
  return task;
}
