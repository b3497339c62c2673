import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runProcess } from '../processes/run-process.ts';

const TIMEOUT_MS = 10 * 60_000;

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
    await runProcess({ ...request, timeoutMs: TIMEOUT_MS }).catch(() => undefined);
  }
  return (await lstat(folder).catch(() => undefined)) === undefined;
}

async function openUp(folder: string): Promise<void> {
  const about = await lstat(folder).catch(() => undefined);
  if (!about?.isDirectory()) return;
  await chmod(folder, 0o700);
  for (const name of await readdir(folder)) await openUp(join(folder, name));
}
