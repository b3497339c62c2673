/** What a name in a folder stands for; `other` is anything that is not opened, a symbolic link above all. */
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

/** How a change is made. */
export interface Commit {
  /**
   * Called with nothing between it and the system call that makes the change; what it throws prevents the change. A
   * process that is stopped and wakes later thus ends at most the one system call it was stopped in.
   */
  readonly beforeCommit?: (() => void) | undefined;
}

export interface WriteOptions extends Commit {
  /** Whether the file must be on the disk itself, not only with the operating system, when the promise resolves. */
  readonly flush?: boolean | undefined;
}

/** The most that is read of one file as text, in bytes. */
export const LONGEST_FILE = 16 * 1024 * 1024;

/** Where files are written before they are renamed into place; in the engine's own folder, so that git never sees it. */
export const TEMPORARY_FOLDER = '.search/tmp';

/**
 * The files of one search, for whoever only reads them. Paths are relative to its folder and joined by `/`; symbolic
 * links below that folder are never followed. Errors are ThoughtTreeErrors: `outside`, `not-found`, `not-writable`,
 * `damaged` (too long to be ours), `internal`.
 */
export interface ReadFiles {
  /** The folder as messages name it. */
  readonly root: string;
  /** The text of a file of at most `LONGEST_FILE` bytes; undefined where there is none. */
  read(path: string): Promise<string | undefined>;
  /** Up to `length` bytes from `offset` on; fewer, or none, at the end of the file. */
  readBytes(path: string, offset: number, length: number): Promise<Uint8Array>;
  /** Undefined where there is nothing. */
  stat(path: string): Promise<FileStat | undefined>;
  /** What a folder holds, in no order; nothing where there is no folder. */
  list(path: string): Promise<Entry[]>;
}

/** The files of one search. Further errors are `disk-full` and whatever `beforeCommit` throws. */
export interface Files extends ReadFiles {
  /** `read` for a small file, without letting anything else happen meanwhile. */
  readNow(path: string): string | undefined;
  existsNow(path: string): boolean;
  /**
   * What tells a file from any other that is or was at its place, as long as it exists: replacing it gives another.
   * Undefined where there is none, or where the file system cannot tell.
   */
  identityNow(path: string): string | undefined;
  /** Replaces a file as a whole: readers see the old text or the new one. Its folder must be there (`not-found`). */
  writeAtomic(path: string, text: string, options?: WriteOptions): Promise<void>;
  /** Adds to the end of a file, made where there is none. After a failure a part of the text may be there. */
  append(path: string, text: string, commit?: Commit): Promise<void>;
  /** Cuts a file off behind its first `size` bytes. */
  truncate(path: string, size: number, commit?: Commit): Promise<void>;
  /** Makes a file with its whole text at once; false, and nothing done, where something stands there. */
  createExclusive(path: string, text: string, commit?: Commit): Promise<boolean>;
  /** Copies a file byte for byte; false, and nothing done, where something stands at `to`. */
  copy(from: string, to: string, commit?: Commit): Promise<boolean>;
  /** Makes a folder and those above it; no error where it stands. */
  makeFolder(path: string, commit?: Commit): Promise<void>;
  /** Removes a file; no error where there is none. */
  remove(path: string): Promise<void>;
  /** Waits until a file is on the disk itself. */
  flush(path: string): Promise<void>;
  /** Removes what crashed writers left behind; only for the one who may write. */
  cleanUp(): Promise<void>;
}
