import { foreign, type Message } from '../../core/messages/message.ts';
import { isThoughtTreeError, type Reason, ThoughtTreeError } from '../../core/search/errors.ts';
import * as say from '../messages.ts';

/** The kind of a folder's entry; `other` is anything that is not opened, such as a symbolic link. */
export type EntryKind = 'file' | 'folder' | 'other';

export interface Entry {
  readonly name: string;
  readonly kind: EntryKind;
}

export interface FileStat {
  readonly kind: EntryKind;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** Tells it from a file that replaced it, where it is on a disk. */
  readonly inode?: number;
}

/**
 * A mark that tells one state of a file, or of a folder's entries, from any other: where it is on the disk, its size,
 * and when it was last *changed*, a time that nobody can set.
 */
export interface Stamp {
  readonly kind: EntryKind;
  readonly mark: string;
  /** By the file system's clock, in milliseconds since 1970. */
  readonly changed: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** The content of a folder, read at once. What is missing may still exist: its own operation tells what is wrong. */
export interface FolderLook {
  readonly entries: readonly Entry[];
  /** The texts of those that were asked for, by name. */
  readonly texts: ReadonlyMap<string, string>;
  /** The names of the folders in it that hold what was asked for, a file. */
  readonly holding: ReadonlySet<string>;
}

/** Options of a change. */
export interface Commit {
  /**
   * Called immediately before the system call that makes the change; throws to prevent it. A process that is suspended
   * and wakes up later thus completes at most the one system call in which it was suspended.
   */
  readonly beforeCommit?: (() => void) | undefined;
}

export interface WriteOptions extends Commit {
  /** True if the file must be on the disk itself, not only with the operating system, when the promise resolves. */
  readonly flush?: boolean | undefined;
}

/** The text of a file: at once, or piece by piece. */
export type FileText = string | AsyncIterable<string>;

/** The longest file that is read as text, in bytes. */
export const LONGEST_FILE = 16 * 1024 * 1024;

/** Where files are written before they are renamed into place; in the engine's own folder, which git ignores. */
export const TEMPORARY_FOLDER = '.search/tmp';

/**
 * The files of one search, read-only. Paths are relative to its folder and joined by `/`; symbolic links below that
 * folder are never followed. Errors are ThoughtTreeErrors: `outside`, `not-found`, `not-writable`, `damaged` (too long
 * to be ours), `internal`.
 */
export interface ReadFiles {
  /** The folder's name in messages. */
  readonly root: string;
  /** Returns the text of a file of at most `LONGEST_FILE` bytes; undefined if there is none. */
  read(path: string): Promise<string | undefined>;
  /**
   * Up to `length` bytes from `offset` on; fewer, or none, at the end of the file.
   * @param into where they are put, if that is long enough: a reader of long files allocates once
   */
  readBytes(path: string, offset: number, length: number, into?: Uint8Array): Promise<Uint8Array>;
  /** Undefined if it does not exist. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Returns the entries of a folder, in no particular order; empty if there is no folder. */
  list(path: string): Promise<Entry[]>;
  /**
   * Lists a folder and reads files in it with few system calls: the folder's own path is checked once for all of them.
   * @param names the files to read
   * @param held which of the folders in it hold a file of this name
   */
  look(path: string, names: readonly string[], held: string): Promise<FolderLook>;
  /**
   * The state of a file or a folder, synchronously. Only its own name is checked for a link, not the folders above it.
   * Undefined if it does not exist, or if this system cannot tell states apart.
   */
  stampNow(path: string): Stamp | undefined;
}

/** The part of them that reading one file takes. */
export type ReadTexts = Pick<ReadFiles, 'read'>;

/** The files of one search. Further errors are `disk-full` and whatever `beforeCommit` throws. */
export interface Files extends ReadFiles {
  /** `read` for a small file, synchronously. */
  readNow(path: string): string | undefined;
  existsNow(path: string): boolean;
  /**
   * Distinguishes a file from any other that is or was in its place, as long as it exists: replacing it changes the
   * identity. Undefined if there is no file, or the file system does not support it.
   */
  identityNow(path: string): string | undefined;
  /** Replaces a file as a whole: readers see the old text or the new one. Its folder must exist (`not-found`). */
  writeAtomic(path: string, text: FileText, options?: WriteOptions): Promise<void>;
  /** Appends to a file, creating it if necessary. After a failure, part of the text may have been written. */
  append(path: string, text: string, commit?: Commit): Promise<void>;
  /** Cuts a file off after its first `size` bytes. */
  truncate(path: string, size: number, commit?: Commit): Promise<void>;
  /** Creates a file together with its text; false, without any effect, if something already exists there. */
  createExclusive(path: string, text: string, commit?: Commit): Promise<boolean>;
  /** Copies a file byte for byte; false, without any effect, if something already exists at `to`. */
  copy(from: string, to: string, commit?: Commit): Promise<boolean>;
  /** Creates a folder and those above it; no error if it exists. */
  makeFolder(path: string, commit?: Commit): Promise<void>;
  /** Removes a file; no error if it does not exist. */
  remove(path: string): Promise<void>;
  /** Removes a folder if nothing is in it; otherwise it stays. */
  removeEmpty(path: string): Promise<void>;
  /**
   * Waits until the content of a file, or the entries of a folder, are on the disk itself. A new file needs both: its own,
   * and that of its folder.
   */
  flush(path: string): Promise<void>;
  /**
   * Waits until everything written so far is on the disk itself.
   * @param isAll also what others wrote: every file there is
   * @returns false if that was too much to keep track of
   */
  settle(isAll?: boolean): Promise<boolean>;
  /**
   * Returns the file system's own clock, in milliseconds since 1970; undefined where it cannot tell states of files
   * apart.
   */
  now(): Promise<number | undefined>;
  /** Removes what crashed writers left behind; only for the process that may write. */
  cleanUp(): Promise<void>;
}

/** The operation during which a system call failed. */
export type Doing = 'read' | 'write';

/** Returns the code of an error of the operating system, such as `ENOENT`; empty if it is another error. */
export function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/** Tells whether an error says that nothing exists at a path. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/**
 * Converts an error of the operating system to one of ours, saying which file and what to do; ours stay as they are.
 * @param file the absolute path, for the message
 */
export function toFileError(error: unknown, file: string, doing: Doing): ThoughtTreeError {
  if (isThoughtTreeError(error)) return error;
  const code = codeOf(error);
  const [reason, why] = explain(code, error);
  const cannot = doing === 'read' ? say.cannotRead : say.cannotWrite;
  return new ThoughtTreeError(reason, cannot({ file, why }), { file, cause: error });
}

function explain(code: string, error: unknown): [Reason, Message] {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return ['disk-full', say.diskFull()];
    case 'EROFS':
      return ['not-writable', say.readOnlyDisk()];
    case 'EACCES':
    case 'EPERM':
    case 'EBUSY':
      return ['not-writable', say.accessDenied({ code })];
    case 'ENOENT':
      return ['not-found', say.folderGone()];
    case 'ENOTDIR':
    case 'EISDIR':
    case 'EEXIST':
    case 'ENOTEMPTY':
      return ['not-writable', say.placeTaken({ code })];
    case 'ENAMETOOLONG':
      return ['not-writable', say.pathTooLong()];
    case 'ELOOP':
      return ['outside', say.symbolicLink()];
    default:
      return ['internal', foreign({ text: error instanceof Error ? error.message : String(error) })];
  }
}

/** Returns the error for a file that is too long to be one of ours. */
export function tooLong(file: string): ThoughtTreeError {
  return new ThoughtTreeError('damaged', say.fileTooLong({ file, bytes: LONGEST_FILE }), { file });
}
