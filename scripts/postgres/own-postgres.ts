import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { postgresPrograms } from './postgres-programs.ts';
import { canRun, type RunAs, unprivileged } from './unprivileged.ts';

const run = promisify(execFile);
/** How long it may take to answer, in milliseconds. */
const STARTING_MS = 30_000;
const LOOK_MS = 20;
/** Of the lines of `postmaster.pid`, the one that says whether it answers. */
const STATUS_LINE = 7;

/** A PostgreSQL of our own, in a folder that is removed with it. */
export interface OwnPostgres {
  /** Of its database, without a password: only this computer reaches it. */
  readonly url: string;
  readonly port: number;
  /** Its data. */
  readonly data: string;
  /** Of the server itself. */
  readonly pid: () => number;
  /** Starts it again after it was killed; what is done meanwhile finds it at rest. */
  readonly again: (meanwhile?: () => void) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a PostgreSQL, for tests and for trying a fleet. It ends with this process, also if that is killed.
 * @throws Error with what to do where there is none for this machine, or nobody as whom it may run
 */
export async function ownPostgres(): Promise<OwnPostgres> {
  if (process.platform === 'win32') throw new Error('A PostgreSQL of its own is not for Windows: use DATABASE_URL.');
  const [programs, user] = await Promise.all([postgresPrograms(), unprivileged()]);
  const folder = mkdtempSync(join(tmpdir(), 'thought-tree-postgres-'));
  try {
    if (user) chownSync(folder, user.uid, user.gid);
    return await startIn(folder, await reachable(programs, folder, user), user);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Returns the `bin` of the programs. Root's folders are closed to others: whoever it runs as gets a copy. */
async function reachable(programs: string, folder: string, user: RunAs | undefined): Promise<string> {
  if (!user || (await canRun(join(programs, 'bin', 'initdb'), user))) return join(programs, 'bin');
  const copy = join(folder, 'programs');
  await run('cp', ['-R', programs, copy]);
  // The keeper, which runs as that user, is to remove them.
  await run('chown', ['-R', `${user.uid}:${user.gid}`, copy]);
  return join(copy, 'bin');
}

async function startIn(folder: string, bin: string, user: RunAs | undefined): Promise<OwnPostgres> {
  const data = join(folder, 'data');
  const as = { cwd: folder, ...user };
  const init = ['-D', data, '-U', 'tree', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await run(join(bin, 'initdb'), init, as);
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`];
  const args = ['-D', data, ...settings.flatMap((each) => ['-c', each])];
  const pidFile = join(data, 'postmaster.pid');
  const log = join(folder, 'log');
  const start = async (): Promise<Kept> => {
    rmSync(pidFile, { force: true });
    const kept = keep(join(bin, 'postgres'), args, log, as);
    try {
      await untilReady(pidFile, log, kept);
      return kept;
    } catch (error) {
      await kept.end();
      throw error;
    }
  };
  let server = await start();
  return {
    ...{ url: `postgres://tree@127.0.0.1:${port}/postgres`, port, data },
    pid: () => Number(linesOf(pidFile)[0]),
    again: async (meanwhile) => {
      await server.end();
      meanwhile?.();
      server = await start();
    },
    stop: async () => {
      await server.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Kept {
  readonly isOver: () => boolean;
  end(): Promise<void>;
}

/**
 * Runs the server under a shell that reads from this process: when that is gone, however it ended, so is the server, and
 * its folder. Both are in a session of their own, which Ctrl-C in a terminal does not reach.
 */
function keep(program: string, args: readonly string[], log: string, as: RunAs | { cwd: string }): Kept {
  const keeper = `log=$1; shift
    "$@" >"$log" 2>&1 & server=$!
    read -r word
    kill -QUIT $server 2>/dev/null
    wait $server
    if [ -z "$word" ]; then rm -rf "$PWD"; fi`;
  const child: ChildProcess = spawn('sh', ['-c', keeper, 'sh', log, program, ...args], {
    ...as,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    child.once('exit', () => {
      isOver = true;
      resolve();
    });
  });
  return {
    isOver: () => isOver,
    end: async () => {
      child.ref();
      child.stdin?.end('end\n');
      await over;
    },
  };
}

async function untilReady(pidFile: string, log: string, server: Kept): Promise<void> {
  const end = performance.now() + STARTING_MS;
  while (linesOf(pidFile)[STATUS_LINE]?.trim() !== 'ready') {
    if (server.isOver() || performance.now() > end)
      throw new Error(`PostgreSQL does not start: ${linesOf(log).join('\n').slice(-2000)}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
