import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './file-error.ts';

/**
 * Makes a folder and those above it that are missing, one by one. Node's own way never ends where a folder that is there says of
 * what is made in it that there is no such place, as /proc does.
 * @returns the topmost that was made; undefined if none was
 * @throws the system's error
 */
export async function makeFolders(folder: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let at = folder; !(await isFolder(at)) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const each of missing) {
    await mkdir(each).catch(async (error: unknown) => {
      // Somebody else made it meanwhile.
      if (codeOf(error) !== 'EEXIST' || !(await isFolder(each))) throw error;
    });
  }
  return missing[0];
}

async function isFolder(place: string): Promise<boolean> {
  return (await stat(place).catch(() => undefined))?.isDirectory() === true;
}
