import { chmod, cp, lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { runProcess } from '../processes/run-process.ts';
import { stopped } from './messages.ts';

const COPY_MS = 10 * 60_000;

/**
 * Copies a folder with its links as they are. Copies share their content with the original where the file system can do that,
 * never the file itself.
 * @param to must not exist
 */
export async function copyFolder(from: string, to: string, signal?: AbortSignal): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  if (process.platform === 'win32') return cp(from, to, { recursive: true, verbatimSymlinks: true });
  // The system's own program is many times faster than Node, and copies pipes and the like as well.
  const flags = process.platform === 'darwin' ? ['-a', '-c'] : ['-a'];
  let wrong = '';
  const { exitCode } = await runProcess({
    program: '/bin/cp',
    args: [...flags, '--', from, to],
    folder: dirname(to),
    env: { LC_ALL: 'C' },
    timeoutMs: COPY_MS,
    signal,
    onOutput: (piece) => {
      if (wrong.length < 500) wrong += piece.toString('utf8');
      return true;
    },
  });
  throwIfStopped(signal);
  if (exitCode !== 0) throw new Error(`cannot copy ${from}: ${wrong}`);
}

const REMOVE_MS = 10 * 60_000;

/**
 * Removes a folder with all that is in it, also where whoever worked in it took away our rights, or made folders within
 * folders until no path to them is short enough. Links are not followed.
 */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  } catch {
    if (process.platform !== 'win32' && (await removedBySystem(folder))) return;
    await openUp(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  }
}

/** The system's own programs go from folder to folder, so that the length of a path does not matter to them. */
async function removedBySystem(folder: string): Promise<boolean> {
  for (const [program, ...flags] of [
    ['/bin/chmod', '-R', 'u+rwX'],
    ['/bin/rm', '-rf'],
  ] as const) {
    const request = { program, args: [...flags, '--', folder], folder: '/', env: { LC_ALL: 'C' } };
    await runProcess({ ...request, timeoutMs: REMOVE_MS }).catch(() => undefined);
  }
  return (await lstat(folder).catch(() => undefined)) === undefined;
}

async function openUp(folder: string): Promise<void> {
  const about = await lstat(folder).catch(() => undefined);
  if (!about?.isDirectory()) return;
  await chmod(folder, 0o700);
  for (const name of await readdir(folder)) await openUp(join(folder, name));
}

/** Tells whether a path is a folder, or in it. Both are absolute. */
export function isIn(folder: string, path: string): boolean {
  const between = relative(folder, path);
  return between === '' || (!isAbsolute(between) && between !== '..' && !between.startsWith(`..${sep}`));
}

/**
 * The folders of a search path that are absolute, exist, and are not in the workspace, whatever links lead there: whoever
 * wrote its files would decide what runs.
 */
export async function foldersOutside(workspace: string, searchPath: string): Promise<string[]> {
  const inside = await realpath(workspace).catch(() => workspace);
  const found: string[] = [];
  for (const folder of searchPath.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined && !isIn(inside, real) && !isIn(workspace, folder)) found.push(folder);
  }
  return [...new Set(found)];
}

/** @throws ThoughtTreeError `aborted` if the search was stopped */
export function throwIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ThoughtTreeError('aborted', stopped());
}
