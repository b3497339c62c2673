import type { DiskOperations } from './disk-operations.ts';
import type { DiskPlace } from './disk-place.ts';
import { codeOf } from './file-error.ts';
import type { Commit } from './files.ts';
import type { TemporaryFiles } from './temporary-files.ts';

// What link() says where a file system has no hard links.
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

/** What a file on disk is made with. */
interface DiskParts {
  readonly disk: DiskOperations;
  readonly place: DiskPlace;
  readonly temporary: TemporaryFiles;
}

/**
 * Creates a file with its text at once, by a link to a temporary one, so that of several processes one alone does it.
 * @returns false where something stands there already
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
      // Another process that has just got the lease cleaned up the temporary file.
      if (codeOf(error) !== 'ENOENT' || tries === 3) throw error;
    } finally {
      await temporary.discard(file);
    }
  }
}

// Without hard links the text follows the creation: a reader may see a part of it, but nobody can create it too.
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
