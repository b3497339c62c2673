import type { FindHooks, KindHooks } from '../../engine/kind/kind-hooks.ts';
import { findProgram } from './find-program.ts';
import { type Command, permitCommand } from './run-command.ts';
import { loadUserTask } from './user-task.ts';

/** The task whose command decides what a solution is. */
export const COMMAND_TASK = 'command';

/** A person's flags and settings for tasks; nothing comes from a file of the workspace. */
export interface OwnTaskOptions {
  /** The hooks of the search's kind. */
  readonly kindHooks: KindHooks;
  /** The folder of the search's workspace: the command runs there, hooks are elsewhere. */
  readonly workspace: string;
  /** The command of the task `command`. */
  readonly check?: Command | undefined;
  /** Time limit for one run of it, in milliseconds; a minute by default. */
  readonly checkTimeoutMs?: number | undefined;
  /** Absolute path of the file with their own hooks. */
  readonly hooks?: string | undefined;
  readonly isTrusted: boolean;
  /** Asks the person about exactly this command; nothing runs before they agree. */
  readonly consent: (command: Command) => Promise<boolean>;
}

export interface OwnTasks {
  /** Finds them, and the built-in tasks. */
  readonly findHooks: FindHooks;
  /** The name of the export of their file. */
  readonly hooksName: string | undefined;
}

/**
 * Makes a person's own tasks.
 * @throws ThoughtTreeError `bad-input` if the command may not or cannot run, or the hooks are unusable
 */
export async function openOwnTasks(given: OwnTaskOptions): Promise<OwnTasks> {
  const { kindHooks, workspace, check, checkTimeoutMs, hooks, isTrusted, consent } = given;
  const read = (exported: unknown): unknown => {
    kindHooks.with({ exported });
    return exported;
  };
  const exported = hooks === undefined ? undefined : await loadUserTask(hooks, workspace, read);
  const timeout = checkTimeoutMs === undefined ? {} : { timeoutMs: checkTimeoutMs };
  const permitted = check && { command: check, folder: workspace, isTrusted, consent, ...timeout };
  if (permitted) await findProgram(permitted.command[0], workspace);
  const runCheck = permitted && (await permitCommand(permitted));
  const { find, name } = kindHooks.with({ runCheck, exported });
  return { findHooks: find, hooksName: name };
}
