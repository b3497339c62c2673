import { type ChildProcess, spawn } from 'node:child_process';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { CheckOutcome, RunCheck } from '../../engine/kind/kind-hooks.ts';
import { WatchedProcesses } from '../../models/agents/process-watch.ts';
import * as say from '../messages.ts';
import { commandEnvironment } from './command-environment.ts';

/** Bytes of a command's output that are kept; the rest is discarded. */
const LONGEST_OUTPUT = 64 * 1024;
const DEFAULT_TIMEOUT_MS = 60_000;

/** A command as given by a person: the program and its arguments. No shell is involved. */
export type Command = readonly [string, ...string[]];

export interface RunCommandOptions {
  readonly command: Command;
  /** Where it runs. */
  readonly folder: string;
  /** Whether the person trusts the content of that folder. */
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

/** Ends commands with this process also where it is killed: they lead groups of their own. */
const watched = new WatchedProcesses();

function runCommand(options: RunCommandOptions, input: string, signal: AbortSignal): Promise<CheckOutcome> {
  const { command, folder, timeoutMs = DEFAULT_TIMEOUT_MS, onOutput } = options;
  const [program, ...words] = command;
  if (signal.aborted) return Promise.resolve({ exitCode: undefined });
  return new Promise((resolve, reject) => {
    // A process group of its own, so that everything it started ends with it.
    const child = spawn(program, words, {
      cwd: folder,
      shell: false,
      detached: process.platform !== 'win32',
      windowsHide: true,
      env: commandEnvironment(process.env),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    watched.add(child);
    const output = collect(child);
    let wasStopped = false;
    const stop = (): void => {
      wasStopped = true;
      endGroup(child);
    };
    const timer = setTimeout(stop, timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    const release = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    child.once('error', (cause) => {
      release();
      const why = say.cannotRun({ program: JSON.stringify(program), why: cause.message });
      reject(new ThoughtTreeError('bad-input', why, { cause }));
    });
    // Not `close`: processes that it left behind may keep its pipes open indefinitely.
    child.once('exit', (exitCode) => {
      release();
      endGroup(child);
      child.stdout?.destroy();
      child.stderr?.destroy();
      onOutput?.(output());
      resolve({ exitCode: wasStopped ? undefined : (exitCode ?? undefined) });
    });
    // It may end without reading all of it.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** Collects the beginning of a command's output. */
function collect(child: ChildProcess): () => string {
  const pieces: Buffer[] = [];
  let room = LONGEST_OUTPUT;
  const take = (piece: Buffer): void => {
    if (room > 0) pieces.push(piece.subarray(0, room));
    room -= Math.min(room, piece.length);
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  return () => Buffer.concat(pieces).toString('utf8');
}

/** Ends a command and everything it started. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }).on('error', () => undefined);
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // already gone
  }
}
