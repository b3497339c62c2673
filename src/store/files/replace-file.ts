import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chown, copyFile, link, lstat, mkdir, open, rename, rmdir, symlink, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { cannotWrite, symbolicLink } from '../messages.ts';
import { codeOf, toFileError } from './files.ts';

/** The number of tries on Windows while somebody has a file open, and the wait between, in milliseconds. */
const TRIES = 50;
const WAIT_MS = 100;

/** The changes of a disk that people's files are made of, so that tests can stop before each of them. */
export interface Disk {
  makeFolder(folder: string, mode?: number): Promise<void>;
  /** Makes a file, with its content on the disk itself. */
  write(file: string, content: string | Uint8Array, mode?: number): Promise<void>;
  /** Makes a copy, with its content on the disk itself. */
  copy(from: string, to: string): Promise<void>;
  symlink(target: string, file: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(file: string): Promise<void>;
  removeFolder(folder: string): Promise<void>;
  /** Waits until the entries of a folder are on the disk itself. */
  flush(folder: string): Promise<void>;
}

/** The disk of this computer. */
export const systemDisk: Disk = {
  makeFolder: async (folder, mode = 0o777) => void (await mkdir(folder, { mode })),
  async write(file, content, mode) {
    const handle = await open(file, 'wx', mode);
    try {
      await handle.writeFile(content);
      if (mode !== undefined) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  async copy(from, to) {
    await copyFile(from, to, constants.COPYFILE_EXCL);
    const handle = await open(to, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  symlink,
  link,
  async rename(from, to) {
    for (let tries = 1; ; tries++)
      try {
        return await rename(from, to);
      } catch (error) {
        const isTransient = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error));
        if (!isTransient || tries >= TRIES) throw error;
        await sleep(WAIT_MS);
      }
  },
  unlink,
  removeFolder: rmdir,
  async flush(folder) {
    if (process.platform === 'win32') return; // it cannot open folders, and keeps their entries in order itself
    const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};

interface Replacing {
  /** The rights of a new file, without the umask; those of a file that is there stay. */
  readonly mode?: number;
  readonly isNew?: boolean;
  /** Looks at the last moment whether it may still be replaced. */
  readonly mayReplace?: () => Promise<boolean>;
  readonly disk?: Disk;
}

/**
 * Replaces a file as a whole, or makes it: others see the old one or the new one, also after a loss of power, and the new one is on the
 * disk itself when this returns. Its rights and its owner stay. Its folder must be there.
 * @returns false if `mayReplace` said no: then nothing is changed
 * @throws ThoughtTreeError `outside` for a link, which is not followed; as for other files
 */
export async function replaceFile(file: string, content: string | Uint8Array, how: Replacing = {}): Promise<boolean> {
  const { mode, isNew = false, mayReplace, disk = systemDisk } = how;
  const begun = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const there = await lstat(file).catch(() => undefined);
    if (there?.isSymbolicLink())
      throw new ThoughtTreeError('outside', cannotWrite({ file, why: symbolicLink() }), { file });
    if (there && (isNew || !there.isFile())) throw Object.assign(new Error(file), { code: 'EEXIST' });
    await disk.write(begun, content, there ? there.mode & 0o7777 : mode);
    try {
      if (there && process.geteuid && there.uid !== process.geteuid()) await chown(begun, there.uid, there.gid);
      if (mayReplace && !(await mayReplace())) return false;
      if (isNew) await linkOrRename(disk, begun, file);
      else await disk.rename(begun, file);
    } finally {
      await disk.unlink(begun).catch(() => undefined); // it is gone if it has its name
    }
    await disk.flush(dirname(file));
    return true;
  } catch (error) {
    throw toFileError(error, file, 'write');
  }
}

/** A link never replaces what somebody made meanwhile; not all file systems have links. */
async function linkOrRename(disk: Disk, begun: string, file: string): Promise<void> {
  try {
    await disk.link(begun, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    await disk.rename(begun, file);
  }
}
