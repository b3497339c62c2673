import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes a folder with all that is in it, also where whoever worked in it took away our rights. Links are not followed. */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  } catch {
    await openUp(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  }
}

async function openUp(folder: string): Promise<void> {
  const about = await lstat(folder).catch(() => undefined);
  if (!about?.isDirectory()) return;
  await chmod(folder, 0o700);
  for (const name of await readdir(folder)) await openUp(join(folder, name));
}
