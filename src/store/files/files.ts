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
  /** The text of a file of at most `LONGEST_FILE` bytes; undefined if there is none. */
  read(path: string): Promise<string | undefined>;
  /**
   * Up to `length` bytes from `offset` on; fewer, or none, at the end of the file.
   * @param into where they are put, if that is long enough: a reader of long files allocates once
   */
  readBytes(path: string, offset: number, length: number, into?: Uint8Array): Promise<Uint8Array>;
  /** Undefined if it does not exist. */
  stat(path: string): Promise<FileStat | undefined>;
  /** The entries of a folder, in no particular order; empty if there is no folder. */
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
  /** The file system's own clock, in milliseconds since 1970; undefined where it cannot tell states of files apart. */
  now(): Promise<number | undefined>;
  /** Removes what crashed writers left behind; only for the process that may write. */
  cleanUp(): Promise<void>;
}
