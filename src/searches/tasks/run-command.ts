import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { CheckOutcome, RunCheck } from '../../engine/kind/kind-hooks.ts';
import { commandEnvironment } from '../../processes/command-environment.ts';
import { runProcess } from '../../processes/run-process.ts';
import * as say from '../messages.ts';

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
    onOutput?.(Buffer.concat(pieces).toString('utf8'));
    return { exitCode };
  } catch (cause) {
    const why = say.cannotRun({ program: JSON.stringify(program), why: String((cause as Error).message) });
    throw new ThoughtTreeError('bad-input', why, { cause });
  }
}
