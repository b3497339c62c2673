import { chmodSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Links that lead to links; more of them than systems follow. */
const MOST_LINKS = 100;

/**
 * An absolute path with links followed, as far as it exists. A link that leads to nothing leads there all the same: whoever
 * writes to it makes what it leads to.
 * @throws Error if links lead to each other, or cannot be read
 */
export function realPlace(path: string, links = MOST_LINKS): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    if (above === path) return path;
    const there = lstatSync(path, { throwIfNoEntry: false });
    const folder = realPlace(above, links);
    if (!there?.isSymbolicLink()) return join(folder, basename(path));
    if (links <= 0) throw new Error('links that lead to each other');
    return realPlace(resolve(folder, readlinkSync(path)), links - 1);
  }
}

/**
 * Where a path leads within a folder, links followed: relative, with `/`; undefined if it leads out of the folder, is the
 * folder itself, or cannot be followed.
 * @param folder absolute
 * @param path relative to it, or absolute
 */
export function placeWithin(folder: string, path: string): string | undefined {
  try {
    const inside = relative(realpathSync(folder), realPlace(resolve(folder, path)));
    if (inside === '' || isAbsolute(inside)) return undefined;
    const steps = inside.split(sep);
    return steps[0] === '..' ? undefined : steps.join('/');
  } catch {
    return undefined;
  }
}

/** Tells whether a place belongs to git, which runs programs that its files name; on some disks whatever its case. */
export function isOfGit(place: string): boolean {
  return place.split('/').some((step) => /^\.git[. ]*$/i.test(step) || /^git~\d+$/i.test(step));
}

/** Tells whether a folder is this user's, and takes away what others may do in it; they can write it where it is not. */
export function isOnlyOurs(folder: string): boolean {
  const about = lstatSync(folder);
  if (!about.isDirectory()) return false;
  if (process.getuid === undefined) return true; // Windows: below the user's own profile, which has rights of its own
  if (about.uid !== process.getuid()) return false;
  if ((about.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return (lstatSync(folder).mode & 0o077) === 0;
}

/** Returns the folder of a user; the system has none for users that it does not know, as in some containers. */
export /** The system has none for users that it does not know, as in some containers. */
function homeFrom(homeOf: () => string): string | undefined {
  try {
    return homeOf();
  } catch {
    return undefined;
  }
}
