import { type ChildProcess, spawn } from 'node:child_process';
import { WatchedProcesses } from './process-watch.ts';

/** A program to run, bounded in time. */
export interface ProcessRequest {
  readonly program: string;
  readonly args: readonly string[];
  /** Where it runs. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** The data on its standard input; it need not read it. */
  readonly input?: string | Uint8Array;
  /** In milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Receives its output as it comes; `false` ends it for having written too much. */
  readonly onOutput?: (piece: Buffer, from: 'stdout' | 'stderr') => boolean;
  /** True if Windows is given the arguments as they are, as its shell needs them. */
  readonly isVerbatim?: boolean;
}

export interface ProcessEnd {
  /** Undefined if it did not end by itself. */
  readonly exitCode: number | undefined;
  /** Why it did not: its time was over, it wrote too much, or it was stopped. */
  readonly stopped?: 'time' | 'output' | 'search';
}

/** The wait for the rest of its output, in milliseconds: processes that it left behind may keep its pipes open. */
const REST_MS = 1000;

/** Ends programs with this process also where it is killed: they lead groups of their own. */
const watched = new WatchedProcesses();

/**
 * Runs a program in a process group of its own, and ends everything that it started with it.
 * @throws the system's error if it cannot be started
 */
export function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  const { timeoutMs, signal, input, onOutput } = request;
  if (signal?.aborted) return Promise.resolve({ exitCode: undefined, stopped: 'search' });
  return new Promise((resolve, reject) => {
    watched.begin();
    const child = start(request);
    watched.add(child);
    let stopped: ProcessEnd['stopped'];
    const stop = (why: NonNullable<ProcessEnd['stopped']>): void => {
      stopped ??= why;
      endAll(child);
    };
    const onAbort = (): void => stop('search');
    const timer = setTimeout(() => stop('time'), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    const release = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    for (const from of ['stdout', 'stderr'] as const)
      child[from]?.on('data', (piece: Buffer) => {
        if (stopped === undefined && onOutput?.(piece, from) === false) stop('output');
      });
    child.once('error', (cause) => {
      release();
      reject(cause);
    });
    child.once('exit', (exitCode) => {
      release();
      endAll(child);
      const code = stopped === undefined && exitCode !== null ? exitCode : undefined;
      void restOf(child).then(() => resolve({ exitCode: code, ...(stopped && { stopped }) }));
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

function start({ program, args, folder, env, isVerbatim = false }: ProcessRequest): ChildProcess {
  return spawn(program, args, {
    cwd: folder,
    shell: false,
    // A process group of its own, so that everything it started ends with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: isVerbatim,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Resolves once its pipes are read to their end, or it is no use to wait for that. */
function restOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, REST_MS);
    function finish(): void {
      clearTimeout(timer);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve();
    }
    child.once('close', finish);
  });
}

/** Ends a program and everything in its group. */
function endAll({ pid }: ChildProcess): void {
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
