import type { Dirent, Stats } from 'node:fs';
import { parentPath } from '../../../core/tree/slug.ts';
import { checkPath, outside } from '../file-path.ts';
import { type Entry, type EntryKind, type FileStat, isMissing, LONGEST_FILE, type Stamp, tooLong } from '../files.ts';
import { type DiskOperations, READ_FLAGS } from './disk-operations.ts';

/**
 * The reading half of files on disk: each operation at once, with the system's own errors. It opens nothing but files and
 * folders below the root: the rest, such as a device or a pipe, could keep its reader waiting for ever.
 */
export class DiskReader {
  readonly #disk: DiskOperations;
  readonly #place: DiskPlace;

  constructor(disk: DiskOperations, place: DiskPlace) {
    this.#disk = disk;
    this.#place = place;
  }

  /** Returns a file's text; undefined if there is none. */
  text(path: string): string | undefined {
    return this.#opened(path, (descriptor, size) => {
      if (size > LONGEST_FILE) throw tooLong(this.#place.absolute(path));
      // One byte more than expected, so that a file that grows meanwhile is read to its end.
      const bytes = this.#read(descriptor, 0, size + 1);
      return (bytes.length <= size ? bytes : this.#read(descriptor, 0, LONGEST_FILE)).toString('utf8');
    });
  }

  /** Returns at most so many of a file's bytes; none if there is no file. */
  bytes(path: string, offset: number, length: number, into?: Uint8Array): Uint8Array {
    // Room for what there is: callers may ask for the longest there can be, and memory is expensive to get.
    const read = (descriptor: number, size: number): Buffer =>
      this.#read(descriptor, offset, Math.min(length, Math.max(0, size - offset)), into);
    return this.#opened(path, read) ?? new Uint8Array();
  }

  isFile(path: string): boolean {
    return this.#found(path)?.isFile() ?? false;
  }

  exists(path: string): boolean {
    return this.#found(path) !== undefined;
  }

  /** Returns a mark of this very file, not of one that takes its place; undefined if it is gone, or has no mark. */
  identity(path: string): string | undefined {
    const found = this.#found(path);
    return found?.ino ? `${found.dev}:${found.ino}` : undefined;
  }

  stat(path: string): FileStat | undefined {
    if (path !== '' && !this.#place.isThere(parentPath(path))) return undefined;
    const found = this.#found(path);
    return found && { kind: kindOf(found), size: found.size, modified: found.mtimeMs, inode: found.ino };
  }

  /** Lists the entries of a folder; none if there is no folder. */
  list(path: string): Entry[] {
    return this.#entries(path).map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  }

  /** @throws EISDIR if what exists at a path is of another kind */
  checkKind(path: string, wanted: EntryKind): void {
    if (kindOf(this.#disk.lstatSync(this.#place.absolute(path))) !== wanted) throw notOfKind(path, wanted);
  }

  #found(path: string): Stats | undefined {
    return this.#disk.lstatSync(this.#place.absolute(path), { throwIfNoEntry: false });
  }

  #entries(path: string): Dirent[] {
    try {
      return this.#disk.readdirSync(this.#place.absolute(path), { withFileTypes: true });
    } catch (error) {
      return missingIsUndefined(error) ?? [];
    }
  }

  /** @throws EISDIR if it is not a file */
  #opened<T>(path: string, use: (descriptor: number, size: number) => T): T | undefined {
    let descriptor: number;
    try {
      descriptor = this.#disk.openSync(this.#place.absolute(path), READ_FLAGS);
    } catch (error) {
      return missingIsUndefined(error);
    }
    try {
      const found = this.#disk.fstatSync(descriptor);
      if (!found.isFile()) throw notOfKind(path, 'file');
      return use(descriptor, found.size);
    } finally {
      this.#disk.closeSync(descriptor);
    }
  }

  #read(descriptor: number, offset: number, length: number, into?: Uint8Array): Buffer {
    const isRoom = into && into.length >= length;
    const buffer = isRoom ? Buffer.from(into.buffer, into.byteOffset, length) : Buffer.allocUnsafe(length);
    let done = 0;
    for (let read = -1; read !== 0 && done < length; done += read)
      read = this.#disk.readSync(descriptor, buffer, done, length - done, offset + done);
    return buffer.subarray(0, done);
  }
}

function missingIsUndefined(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function notOfKind(path: string, wanted: EntryKind): Error {
  return Object.assign(new Error(`'${path}' is no ${wanted}`), { code: 'EISDIR' });
}

/** Maps the paths of a search to the disk, and checks that they are really inside it. */
export class DiskPlace {
  readonly root: string;
  readonly #disk: DiskOperations;
  readonly #separator: '/' | '\\';

  /**
   * @param root the real path of the search's folder
   * @param platform `process.platform`
   */
  constructor(root: string, disk: DiskOperations, platform: string) {
    this.root = root;
    this.#disk = disk;
    this.#separator = platform === 'win32' ? '\\' : '/';
  }

  /**
   * The absolute path.
   * @throws ThoughtTreeError `outside` for a path that could lead out of the folder by its wording
   */
  absolute(path: string): string {
    checkPath(path);
    if (path === '') return this.root;
    const separator = this.#separator;
    return `${this.root}${separator}${separator === '/' ? path : path.replaceAll('/', separator)}`;
  }

  /**
   * Tells whether something exists at a path. Each part of the path is checked separately, without following it: one
   * cheap call per part, and a link is recognized on every file system, whether or not that distinguishes case.
   * @throws ThoughtTreeError `outside` for a symbolic link: it could lead anywhere, or in circles
   */
  isThere(path: string): boolean {
    const whole = this.absolute(path);
    for (let end = this.root.length; ; ) {
      const found = this.#disk.lstatSync(whole.slice(0, end), { throwIfNoEntry: false });
      if (!found) return false;
      if (found.isSymbolicLink()) throw outside(path);
      if (end === whole.length) return true;
      if (!found.isDirectory()) return false;
      const next = whole.indexOf(this.#separator, end + 1);
      end = next < 0 ? whole.length : next;
    }
  }

  /**
   * Makes sure that the folder of a file exists.
   * @throws ThoughtTreeError `outside`; and ENOENT if it does not exist
   */
  checkFolder(path: string): void {
    if (path === '') throw outside(path);
    this.absolute(path);
    if (!this.isThere(parentPath(path))) throw missing(path);
  }
}

/** The system's error for a path that does not exist. */
export function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory, '${path}'`), { code: 'ENOENT' });
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
}

function kindOf(found: Kinds): EntryKind {
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'folder' : 'other';
}

/**
 * The state of a file or a folder on disk; undefined if there is none, or if the system has no inodes or times of change.
 * Whole numbers, since inodes and nanoseconds are longer than a number holds.
 */
export function stampOf({ lstatSync }: Pick<DiskOperations, 'lstatSync'>, file: string): Stamp | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false, bigint: true });
  if (!found) return undefined;
  const { dev, ino, size, ctimeNs, mtimeNs } = found;
  if (!ino || !ctimeNs) return undefined;
  const mark = `${dev}:${ino}:${size}:${ctimeNs}`;
  return { kind: kindOf(found), mark, changed: Number(ctimeNs) / 1e6, modified: Number(mtimeNs) / 1e6 };
}
