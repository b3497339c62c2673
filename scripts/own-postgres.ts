import { execFile, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Where systems put it, besides the search path. */
const INSTALLED = ['/usr/lib/postgresql', '/usr/pgsql', '/opt/homebrew/opt/postgresql@17', '/usr/local/opt/postgresql'];
/** Users that own nothing, as which it runs where this process is root: it refuses to be that. */
const UNPRIVILEGED = ['postgres', 'nobody'];
/** How long it may take to answer, in milliseconds. */
const STARTING_MS = 30_000;

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
 * Starts an installed PostgreSQL, for tests and for trying a fleet. It ends with this process, also if that is killed.
 * Undefined where none is installed, or nobody is there as whom it may run.
 */
export async function ownPostgres(): Promise<OwnPostgres | undefined> {
  const programs = await installedAt();
  const user = await unprivileged();
  if (programs === undefined || user === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'thought-tree-postgres-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid);
  const data = join(folder, 'data');
  const as = { cwd: folder, ...user };
  const init = ['-D', data, '-U', 'tree', '--auth=trust', '--encoding=UTF8', '--locale=C'];
  await run(join(programs, 'initdb'), init, as);
  const port = await freePort();
  const url = `postgres://tree@127.0.0.1:${port}/postgres`;
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`];
  const args = ['-D', data, ...settings.flatMap((each) => ['-c', each])];
  const ready = async (): Promise<void> => {
    const end = Date.now() + STARTING_MS;
    for (;;) {
      const isThere = await run(join(programs, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).then(
        () => true,
        () => false,
      );
      if (isThere) return;
      if (Date.now() > end)
        throw new Error(`PostgreSQL does not answer: ${readFileSync(`${folder}/log`, 'utf8').slice(-2000)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  // The shell reads from this process: when that is gone, however it ended, so is the server.
  const keeper = `"$@" >"${folder}/log" 2>&1 & server=$!; read -r word; kill -QUIT $server 2>/dev/null; wait $server
    if [ -z "$word" ]; then rm -rf "${folder}"; fi`;
  const start = (): { end: () => Promise<void> } => {
    const child = spawn('sh', ['-c', keeper, 'sh', join(programs, 'postgres'), ...args], {
      ...as,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.unref();
    (child.stdin as unknown as { unref(): void }).unref();
    const over = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    return {
      end: async () => {
        child.ref();
        child.stdin.end('end\n');
        await over;
      },
    };
  };
  let server = start();
  const stop = async (): Promise<void> => {
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...{ url, port, data, stop },
    pid: () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
    again: async (meanwhile) => {
      await server.end();
      meanwhile?.();
      rmSync(join(data, 'postmaster.pid'), { force: true });
      server = start();
      await ready();
    },
  };
}

/** The folder of its programs, the newest version first. */
async function installedAt(): Promise<string | undefined> {
  const found: string[] = [];
  for (const parent of INSTALLED) {
    const versions = await readdir(parent).catch(() => []);
    const newest = versions.filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(b) - Number(a));
    found.push(...newest.map((version) => join(parent, version, 'bin')), join(parent, 'bin'));
  }
  for (const folder of [...found, ...(process.env['PATH'] ?? '').split(':')]) {
    const names = await readdir(folder).catch((): string[] => []);
    if (['initdb', 'postgres', 'pg_isready'].every((name) => names.includes(name))) return folder;
  }
  return undefined;
}

/** As whom it runs: as this user, or, where that is root, as an existing one without rights. Never makes one. */
async function unprivileged(): Promise<{ uid?: number; gid?: number } | undefined> {
  if (process.getuid?.() !== 0) return {};
  for (const name of UNPRIVILEGED) {
    const of = async (what: string): Promise<number> => Number((await run('id', [what, name])).stdout);
    const user = await Promise.all([of('-u'), of('-g')]).catch(() => undefined);
    if (user) return { uid: user[0], gid: user[1] };
  }
  return undefined;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
