import { realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CheckOutcome, FindHooks, KindHooks, RunCheck } from '../core/kind/kind-hooks.ts';
import type { Arg, Message } from '../core/messages/message.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../core/search/errors.ts';
import { commandEnvironment } from '../processes/command-environment.ts';
import { runProcess } from '../processes/run-process.ts';
import { isProgram } from '../work/git/run-git.ts';
import * as say from './messages.ts';
import { noProgram } from './messages.ts';

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
    kindHooks.with({ runCheck: undefined, exported });
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

/** Bytes of a command's output that are kept; the rest is discarded. */
const LONGEST_OUTPUT = 64 * 1024;
const DEFAULT_TIMEOUT_MS = 60_000;

/** A command as given by a person: the program and its arguments. No shell is involved. */
export type Command = readonly [string, ...string[]];

export interface RunCommandOptions {
  readonly command: Command;
  /** Where it runs. */
  readonly folder: string;
  /** The person trusts the content of that folder. */
  readonly isTrusted: boolean;
  /** Asks the person about exactly this command; nothing runs before they agree. */
  readonly consent: (command: Command) => Promise<boolean>;
  /** Time limit in milliseconds; a minute by default. */
  readonly timeoutMs?: number;
  /** Receives the output of each run, at least its beginning. */
  readonly onOutput?: (output: string) => void;
}

/**
 * The check of the task `command`.
 * @throws ThoughtTreeError `bad-input` if the folder is not trusted or the person does not agree
 */
export async function permitCommand(options: RunCommandOptions): Promise<RunCheck> {
  const { command, isTrusted, consent } = options;
  if (!isTrusted) throw new ThoughtTreeError('bad-input', say.trustNeeded());
  if (!(await consent(command)))
    throw new ThoughtTreeError('bad-input', say.notAgreed({ command: JSON.stringify(command.join(' ')) }));
  return (input, signal) => runCommand(options, input, signal);
}

async function runCommand(options: RunCommandOptions, input: string, signal: AbortSignal): Promise<CheckOutcome> {
  const { command, folder, timeoutMs = DEFAULT_TIMEOUT_MS, onOutput } = options;
  const [program, ...args] = command;
  const env = commandEnvironment(process.env);
  const pieces: Buffer[] = [];
  let room = LONGEST_OUTPUT;
  const take = (piece: Buffer): boolean => {
    if (room > 0) pieces.push(piece.subarray(0, room));
    room -= Math.min(room, piece.length);
    return true;
  };
  try {
    const { exitCode } = await runProcess({ program, args, folder, env, input, timeoutMs, signal, onOutput: take });
    const output = Buffer.concat(pieces).toString('utf8');
    onOutput?.(output);
    return { exitCode, output };
  } catch (cause) {
    const why = say.cannotRun({ program: JSON.stringify(program), why: String((cause as Error).message) });
    throw new ThoughtTreeError('bad-input', why, { cause });
  }
}

/**
 * Loads a person's own hooks: a module that exports `task`. It is their code and runs with their rights, so its path
 * comes from their settings, and no file of the workspace is accepted: that may have come with a clone.
 * @param path absolute
 * @param use checks the export; throws if it is unusable
 * @throws ThoughtTreeError `bad-input` saying what is wrong if it cannot be loaded or has another shape
 */
export async function loadUserTask<T>(path: string, workspace: string, use: (task: unknown) => T): Promise<T> {
  if (!isAbsolute(path)) throw refused(path, say.pathNotAbsolute());
  try {
    const file = await realpath(path);
    if (isInside(file, await realpath(workspace))) throw refused(path, say.taskInWorkspace());
    const module = (await import(pathToFileURL(file).href)) as { readonly task?: unknown };
    return use(module.task);
  } catch (error) {
    throw isThoughtTreeError(error) ? error : refused(path, error instanceof Error ? error.message : String(error));
  }
}

function isInside(file: string, folder: string): boolean {
  const between = relative(folder, file);
  return between !== '..' && !between.startsWith(`..${sep}`) && !isAbsolute(between);
}

function refused(file: string, why: Arg): ThoughtTreeError {
  return new ThoughtTreeError('bad-input', say.taskRefused({ file, why }));
}

/**
 * The path of a program, found as the system would: so that a wrong name is reported before anything is paid for.
 * @param folder the base of relative paths such as `./check.sh`
 * @throws ThoughtTreeError `bad-input` if there is no executable program
 */
async function findProgram(program: string, folder: string): Promise<string> {
  const isPath = isAbsolute(program) || /[/\\]/.test(program);
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((each) => each !== '');
  const places = isPath ? [resolve(folder, program)] : folders.map((each) => join(resolve(folder, each), program));
  for (const place of places)
    for (const ending of process.platform === 'win32' ? ['', '.exe', '.com'] : [''])
      if (await isProgram(`${place}${ending}`)) return `${place}${ending}`;
  throw new ThoughtTreeError('bad-input', noProgram({ program: JSON.stringify(program) }));
}

const WORD = /\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/gy;
const SHELL_SIGNS = /[|&;<>`$(){}]/;

/**
 * The words of a command that a person wrote on one line, with quotes around words that contain spaces.
 * @throws ThoughtTreeError `bad-input` if it is empty, has an unclosed quote, or needs a shell
 */
export function commandWords(line: string): Command {
  const words: string[] = [];
  const text = line.trim();
  WORD.lastIndex = 0;
  while (WORD.lastIndex < text.length) {
    const [, double, single, bare] = WORD.exec(text) ?? fail(say.openQuote({ text: JSON.stringify(text) }));
    if (bare !== undefined && SHELL_SIGNS.test(bare)) fail(say.forShell({ word: JSON.stringify(bare) }));
    words.push((double ?? single ?? bare) as string);
  }
  const [program, ...rest] = words;
  return program ? [program, ...rest] : fail(say.emptyCommand());
}

function fail(why: Message): never {
  throw new ThoughtTreeError('bad-input', say.notACommand({ why }));
}
