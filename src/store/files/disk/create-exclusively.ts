import { codeOf } from '../file-error.ts';
import type { Commit } from '../files.ts';
import type { DiskOperations } from './disk-operations.ts';
import type { DiskPlace } from './disk-place.ts';
import type { TemporaryFiles } from './temporary-files.ts';

// The error codes of link() on file systems without hard links.
const NO_LINKS = new Set([
  'EPERM',
  'EACCES',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EMLINK',
  'EINVAL',
  'EXDEV',
  'UNKNOWN',
]);

interface DiskParts {
  readonly disk: DiskOperations;
  readonly place: DiskPlace;
  readonly temporary: TemporaryFiles;
}

/**
 * Creates a file together with its text, by a link to a temporary one, so that only one of several processes succeeds.
 * @returns false if something already exists there
 */
export async function createExclusively(
  { disk, place, temporary }: DiskParts,
  path: string,
  text: string,
  commit: Commit,
): Promise<boolean> {
  place.checkFolder(path);
  for (let tries = 0; ; tries++) {
    const file = await temporary.write(text, true);
    try {
      commit.beforeCommit?.();
      disk.linkSync(file, place.absolute(path));
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      if (NO_LINKS.has(codeOf(error))) return createDirectly(disk, place.absolute(path), text, commit);
      // Another process that has just taken the lease cleaned up the temporary file.
      if (codeOf(error) !== 'ENOENT' || tries === 3) throw error;
    } finally {
      await temporary.discard(file);
    }
  }
}

// Without hard links the text is written after the creation: a reader may see part of it, but nobody else can create it.
function createDirectly(disk: DiskOperations, file: string, text: string, commit: Commit): boolean {
  let descriptor: number;
  try {
    commit.beforeCommit?.();
    descriptor = disk.openSync(file, 'wx');
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += disk.writeSync(descriptor, bytes, done);
  } finally {
    disk.closeSync(descriptor);
  }
  return true;
}
