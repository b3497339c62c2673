import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runProcess } from '../../processes/run-process.ts';
import { foldersOutside, isIn } from '../folders.ts';
import type { Invocation } from './command-line.ts';
import { seatbeltProfile } from './sandbox.ts';

/** What an agent that works by itself may do. */
export interface HeldAgent {
  /** The person's folder, which it only reads. */
  readonly workspace: string;
  /** Where it works; may be the same. */
  readonly folder: string;
  readonly canWrite: boolean;
  /** Its own sessions and settings: what of them is there may be written. */
  readonly state: readonly string[];
  /** Folders that it does not see. */
  readonly hidden: readonly string[];
}

/**
 * Returns an agent inside of a sandbox: it sees the system read only, with its keys and a network, as it needs them, and writes
 * nowhere but in its own state and, in a role that works, in its folder.
 * @returns undefined where no sandbox works
 */
export async function holdAgent(command: Invocation, held: HeldAgent): Promise<Invocation | undefined> {
  const wrap = await wrapperFor(held.workspace);
  if (!wrap) return undefined;
  works ??= isHolding(wrap);
  if (!(await works)) return undefined;
  const state: string[] = [];
  for (const each of held.state) {
    const real = await realpath(each).catch(() => undefined);
    // Whoever names a folder above as the agent's own lets it write nothing of the person's for that.
    if (real !== undefined && ![held.workspace, held.folder, homedir()].some((place) => isIn(real, place)))
      state.push(real);
  }
  const [workspace, folder] = await Promise.all([realpath(held.workspace), realpath(held.folder)]);
  return wrap(command, { ...held, workspace, folder, state });
}

type Wrap = (command: Invocation, held: HeldAgent) => Invocation;

/** Whether the sandbox of this system does what it says: tried once. */
let works: Promise<boolean> | undefined;

/** Undefined where the system has none. One that may have come with the workspace is not looked at. */
async function wrapperFor(workspace: string): Promise<Wrap | undefined> {
  if (process.platform === 'darwin')
    return ({ program, args }, held) => ({
      program: '/usr/bin/sandbox-exec',
      args: ['-p', profileOf(held), program, ...args],
    });
  if (process.platform !== 'linux') return undefined;
  for (const folder of await foldersOutside(await realpath(workspace), process.env['PATH'] ?? '')) {
    const bwrap = join(folder, 'bwrap');
    if (!(await stat(bwrap).catch(() => undefined))?.isFile()) continue;
    return ({ program, args }, held) => ({
      program: bwrap,
      args: [...bubblewrapFor(held, program), '--', program, ...args],
    });
  }
  return undefined;
}

/** Tries to write where nothing may be written. */
async function isHolding(wrap: Wrap): Promise<boolean> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'thought-tree-held-'));
  try {
    const line = 'cat /dev/null && ! touch "$0/tried" 2>/dev/null && echo held';
    const held = { workspace: folder, folder, canWrite: false, state: [], hidden: [] };
    const { program, args } = wrap({ program: '/bin/sh', args: ['-c', line, folder] }, held);
    let said = '';
    const onOutput = (piece: Buffer, from: string): boolean => {
      if (from === 'stdout') said += piece.toString('latin1');
      return said.length < 1000;
    };
    const env = { PATH: process.env['PATH'] };
    const end = await runProcess({ program, args, folder, env, timeoutMs: 20_000, onOutput });
    return end.exitCode === 0 && said.trim() === 'held';
  } catch {
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of which it gets an empty one. */
const TEMPORARY = ['/tmp', '/var/tmp'];
/** Of the sockets of services only what finding names needs. */
const OF_RUN = ['/run/systemd/resolve', '/run/current-system'];

function bubblewrapFor({ workspace, folder, canWrite, state, hidden }: HeldAgent, program: string): string[] {
  return [
    ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-cgroup-try', '--die-with-parent'],
    ...['--cap-drop', 'ALL', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/run'],
    ...OF_RUN.flatMap((place) => ['--ro-bind-try', place, place]),
    ...[...TEMPORARY, ...hidden].flatMap((place) => ['--tmpfs', place]),
    ...(TEMPORARY.some((place) => isIn(place, program)) ? ['--ro-bind', dirname(program), dirname(program)] : []),
    ...state.flatMap((place) => ['--bind', place, place]),
    // Last, so that nothing before lets it write there.
    ...['--ro-bind', workspace, workspace, canWrite ? '--bind' : '--ro-bind', folder, folder, '--chdir', folder],
  ];
}

function profileOf({ workspace, folder, canWrite, state, hidden }: HeldAgent): string {
  const [home, temporary] = [state[0] ?? '/dev/null', state[1] ?? '/dev/null'];
  const own = { folder: canWrite ? folder : '/dev/null', home, temporary, hidden, emptied: [], shown: [folder] };
  const rest = state.map((place) => `(allow file-write* (subpath "${place.replaceAll(/["\\]/g, String.raw`\$&`)}"))`);
  const seen = { folder, home, temporary };
  return [seatbeltProfile({ ...own, seenAs: seen, empty: '', workspace, hasNetwork: true }), ...rest].join('\n');
}
