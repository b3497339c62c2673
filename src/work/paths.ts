import { realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, relative, sep } from 'node:path';

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
