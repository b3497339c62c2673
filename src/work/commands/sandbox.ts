import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Isolation } from '../../core/ports/workshop.ts';
import { runProcess } from '../../processes/run-process.ts';
import { isIn } from '../folders.ts';
import type { CommandFolders, Invocation } from './command-line.ts';

/** A program that holds commands in their folders. */
export interface Sandbox {
  readonly name: NonNullable<Isolation['sandbox']>;
  /** Returns the command inside of it. */
  wrap(command: Invocation, held: Held): Invocation;
}

/** Looks for the system's sandbox, and tries it: one that is there need not work, as in some containers. */
export async function findSandbox(folders: readonly string[], held: Held): Promise<Sandbox | undefined> {
  for (const sandbox of sandboxes(folders)) if (await works(sandbox, held)) return sandbox;
  return undefined;
}

function sandboxes(folders: readonly string[]): Sandbox[] {
  if (process.platform === 'darwin')
    return [
      {
        name: 'sandbox-exec',
        wrap: ({ program, args }, held) => ({
          program: '/usr/bin/sandbox-exec',
          args: ['-p', seatbeltProfile(held), program, ...args],
        }),
      },
    ];
  if (process.platform !== 'linux') return [];
  return folders.map((folder) => ({
    name: 'bubblewrap',
    wrap: ({ program, args }, held) => ({
      program: join(folder, 'bwrap'),
      args: [...bubblewrapArguments(held), '--', program, ...args],
    }),
  }));
}

/** Tells whether a command in it can write where it should, and nowhere else. */
async function works(sandbox: Sandbox, held: Held): Promise<boolean> {
  const line = 'touch "$0/.try" && rm "$0/.try" && ! touch "$1/.try" 2>/dev/null && echo held';
  const command = { program: '/bin/sh', args: ['-c', line, held.folder, held.workspace] };
  let said = '';
  const onOutput = (piece: Buffer, from: string): boolean => {
    if (from === 'stdout') said += piece.toString('latin1');
    return said.length < 1000;
  };
  const { program, args } = sandbox.wrap(command, held);
  const env = { PATH: process.env['PATH'] };
  try {
    const end = await runProcess({ program, args, folder: held.folder, env, timeoutMs: 20_000, onOutput });
    return end.exitCode === 0 && said.trim() === 'held';
  } catch {
    return false;
  }
}

/** Of the person's home, only these dot folders are shown: those that hold tools, and no secrets. */
const TOOLS = [
  ...[
    '.nvm',
    '.pyenv',
    '.rbenv',
    '.rustup',
    '.cargo/bin',
    '.volta',
    '.asdf',
    '.fnm',
    '.bun',
    '.deno',
    '.sdkman',
    '.jenv',
  ],
  ...[
    '.dotnet',
    '.juliaup',
    '.ghcup/bin',
    '.opam',
    '.goenv',
    '.nodenv',
    '.proto',
    '.pixi/bin',
    '.local/bin',
    '.local/lib',
  ],
  ...[
    '.local/share/pnpm',
    '.local/share/mise',
    '.local/share/fnm',
    '.local/share/uv',
    '.local/share/rtx',
    '.linuxbrew',
  ],
];

/**
 * Lists what is hidden of the person's home: every file and folder whose name begins with a dot, but tools. Looked up
 * before each command, as such files come and go.
 * @param searchPath folders of programs, which are shown
 */
export async function hiddenOfHome(
  searchPath: readonly string[],
  home = homedir(),
): Promise<Pick<Held, 'hidden' | 'emptied' | 'shown'>> {
  const real = await realpath(home).catch(() => undefined);
  if (real === undefined || real === '/') return { hidden: [], emptied: [], shown: [] };
  const entries = await readdir(real, { withFileTypes: true }).catch(() => []);
  const dots = entries.filter(({ name }) => name.startsWith('.'));
  const keychains = join(real, 'Library', 'Keychains');
  const folders = dots.filter((entry) => entry.isDirectory()).map(({ name }) => join(real, name));
  const hidden = [...folders, ...((await isThere(keychains)) ? [keychains] : [])];
  const programs = searchPath.filter((folder) => hidden.some((each) => folder !== each && isIn(each, folder)));
  const tools = [...TOOLS.map((tool) => join(real, tool)), ...programs];
  const shown: string[] = [];
  for (const tool of tools) if (await isThere(tool)) shown.push(tool);
  return { hidden, emptied: dots.filter((entry) => entry.isFile()).map(({ name }) => join(real, name)), shown };
}

/**
 * Folders of programs that are in a folder for temporary files, of which a command sees an empty one instead. Programs of npm
 * are links into the folder above.
 */
export function programsInTemporary(searchPath: readonly string[]): string[] {
  const inside = searchPath.filter((folder) => TEMPORARY.some((place) => folder !== place && isIn(place, folder)));
  return [...new Set(inside.map((folder) => (basename(folder) === '.bin' ? dirname(folder) : folder)))];
}

/** Tells whether there is a folder, with no link on the way. */
async function isThere(folder: string): Promise<boolean> {
  return (await realpath(folder).catch(() => undefined)) === folder;
}

/** Folders of sockets of services, which a read-only place does not close: only what finding names and programs needs. */
const OF_RUN = ['/run/systemd/resolve', '/run/current-system', '/run/opengl-driver'];

/** Of which a command gets an empty one. */
const TEMPORARY = ['/tmp', '/var/tmp'];

/** The places and rights that a sandbox gives a command. */
export interface Held extends CommandFolders {
  /** Folders that it does not see at all. */
  readonly hidden: readonly string[];
  /** Files that it sees empty. */
  readonly emptied: readonly string[];
  /** Paths in the hidden folders that it sees all the same, read only. */
  readonly shown: readonly string[];
  readonly hasNetwork: boolean;
}

/**
 * Returns the arguments of bubblewrap, which holds a command: it sees the whole system read only, without the person's
 * secrets, with processes, temporary files and, unless allowed, a network of its own. All that it started ends with it.
 */
export function bubblewrapArguments(held: Held): string[] {
  const { folder, home, seenAs, temporary, empty, workspace, hidden, emptied, shown, hasNetwork } = held;
  const isInside = (place: string): boolean => place !== workspace && isIn(workspace, place);
  const [inside, others] = [hidden.filter(isInside), hidden.filter((place) => !isInside(place))];
  return [
    ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-cgroup-try', '--die-with-parent'],
    ...(hasNetwork ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/run'],
    ...OF_RUN.flatMap((place) => ['--ro-bind-try', place, place]),
    // Before all others: any of them may be in a folder for temporary files.
    ...TEMPORARY.flatMap((place) => ['--bind', temporary, place]),
    ...others.flatMap((place) => ['--tmpfs', place]),
    // Only where that hid it: it may well be the home folder itself.
    ...([...TEMPORARY, ...others].some((place) => isIn(place, workspace)) ? ['--ro-bind', workspace, workspace] : []),
    ...inside.flatMap((place) => ['--tmpfs', place]),
    ...shown.flatMap((place) => ['--ro-bind', place, place]),
    ...emptied.flatMap((place) => ['--ro-bind', empty, place]),
    ...['--bind', home, seenAs.home, '--bind', folder, seenAs.folder, '--chdir', seenAs.folder],
  ];
}

/** Returns the profile for sandbox-exec of macOS: writes and secrets are denied except in the command's own folders. */
export function seatbeltProfile({ folder, home, temporary, hidden, emptied, shown, hasNetwork }: Held): string {
  const below = (paths: readonly string[]): string => paths.map((path) => ` (subpath ${quotedPath(path)})`).join('');
  const just = (paths: readonly string[]): string => paths.map((path) => ` (literal ${quotedPath(path)})`).join('');
  const own = [folder, home, temporary];
  const secrets = below(hidden) + just(emptied);
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    ...(secrets === '' ? [] : [`(deny file-read*${secrets})`]),
    ...(shown.length === 0 ? [] : [`(allow file-read*${below(shown)})`]),
    `(allow file-read* file-write*${below(own)})`,
    `(allow file-write*${just(['/dev/null', '/dev/zero', '/dev/tty', '/dev/stdout', '/dev/stderr'])})`,
    ...(hasNetwork ? [] : ['(deny network*)']),
  ].join('\n');
}

function quotedPath(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
