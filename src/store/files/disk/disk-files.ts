import { constants } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { Breather } from '../../../core/concurrency.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { parentPath } from '../../../core/tree/slug.ts';
import { noFolder } from '../../messages.ts';
import {
  type Commit,
  codeOf,
  type Doing,
  type Entry,
  type FileStat,
  type Files,
  type FileText,
  type FolderLook,
  isMissing,
  type ReadFiles,
  type Stamp,
  TEMPORARY_FOLDER,
  toFileError,
  type WriteOptions,
} from '../files.ts';
import { lookAt } from '../folders.ts';
import { type DiskOperations, diskOperations, NO_FOLLOW } from './disk-operations.ts';
import { DiskPlace, DiskReader, missing, stampOf } from './disk-reader.ts';
import { createExclusively, TemporaryFiles } from './temporary-files.ts';

/** Flushing more files, of which few were written, would take too long. */
const MOST_OF_OTHERS = 5000;

// Below the lowest limit of open files on the systems we support.
const OPEN_AT_ONCE = 64;

/** Replacements for the system, for tests. */
export interface DiskOptions {
  readonly operations?: Partial<DiskOperations>;
  /** `process.platform` */
  readonly platform?: string;
}

/**
 * The files of a search in an existing folder on disk.
 * @throws ThoughtTreeError `not-found`, `not-writable`
 */
export async function openDiskFiles(folder: string, options: DiskOptions = {}): Promise<DiskFiles> {
  const operations = { ...diskOperations, ...options.operations };
  try {
    const root = await operations.realpath(folder);
    return new DiskFiles(root, operations, options.platform ?? process.platform);
  } catch (error) {
    if (isMissing(error)) throw new ThoughtTreeError('not-found', noFolder({ folder }), { file: folder, cause: error });
    throw toFileError(error, folder, 'read');
  }
}

/** Files on disk; made by `openDiskFiles`. */
export class DiskFiles implements Files {
  readonly root: string;
  readonly #disk: DiskOperations;
  readonly #place: DiskPlace;
  readonly #reader: DiskReader;
  readonly #temporary: TemporaryFiles;
  readonly #platform: string;
  readonly #limit = pLimit(OPEN_AT_ONCE);
  readonly #breather = new Breather(5);
  readonly #flushes = new GroupedFlushes((path) => this.#do(path, 'write', () => this.#flushNow(path)));
  readonly #unflushed = new Unflushed();

  /** @param root the folder's real path */
  constructor(root: string, operations: DiskOperations, platform: string) {
    this.root = root;
    this.#disk = operations;
    this.#place = new DiskPlace(root, operations, platform);
    this.#reader = new DiskReader(operations, this.#place);
    this.#temporary = new TemporaryFiles(operations, this.#place);
    this.#platform = platform;
  }

  read(path: string): Promise<string | undefined> {
    return this.#do(path, 'read', async () => (this.#place.isThere(path) ? this.#reader.text(path) : undefined));
  }

  readNow(path: string): string | undefined {
    try {
      return this.#reader.text(path);
    } catch (error) {
      throw toFileError(error, this.#place.absolute(path), 'read');
    }
  }

  existsNow(path: string): boolean {
    return this.#reader.exists(path);
  }

  identityNow(path: string): string | undefined {
    return this.#reader.identity(path);
  }

  readBytes(path: string, offset: number, length: number, into?: Uint8Array): Promise<Uint8Array> {
    return this.#do(path, 'read', async () =>
      this.#place.isThere(path) ? this.#reader.bytes(path, offset, length, into) : new Uint8Array(),
    );
  }

  stat(path: string): Promise<FileStat | undefined> {
    return this.#do(path, 'read', async () => this.#reader.stat(path));
  }

  list(path: string): Promise<Entry[]> {
    return this.#do(path, 'read', async () => (this.#place.isThere(path) ? this.#reader.list(path) : []));
  }

  look(path: string, names: readonly string[], held: string): Promise<FolderLook> {
    return this.#do(path, 'read', async () => {
      const entries = this.#place.isThere(path) ? this.#reader.list(path) : [];
      return lookAt(this.#reader, path, entries, names, held);
    });
  }

  stampNow(path: string): Stamp | undefined {
    return this.#hasStamps ? stampOf(this.#disk, this.#place.absolute(path)) : undefined;
  }

  async now(): Promise<number | undefined> {
    const file = await this.#temporary.write('', false);
    const stamp = this.#hasStamps ? stampOf(this.#disk, file) : undefined;
    await this.#temporary.discard(file);
    return stamp?.changed;
  }

  writeAtomic(path: string, text: FileText, options: WriteOptions = {}): Promise<void> {
    return this.#do(path, 'write', async () => {
      this.#place.checkFolder(path);
      const temporary = await this.#temporary.write(text, options.flush ?? false);
      try {
        await renameWithRetry(() => {
          options.beforeCommit?.();
          this.#disk.renameSync(temporary, this.#place.absolute(path));
        }, this.#platform);
      } catch (error) {
        await this.#temporary.discard(temporary);
        // A new holder of the search removes temporary files of others: then this is the lease's error, not the file's.
        if (isMissing(error)) options.beforeCommit?.();
        throw error;
      }
      if (!options.flush) this.#unflushed.add(path);
    }).then(() => (options.flush ? this.#flushes.flush(parentPath(path)) : undefined));
  }

  append(path: string, text: string, commit: Commit = {}): Promise<void> {
    return this.#do(path, 'write', async () => {
      const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants;
      const isThere = this.#place.isThere(path);
      if (!isThere) {
        this.#place.checkFolder(path);
        commit.beforeCommit?.(); // opening creates the file
      }
      // Exclusive creation: a dangling link would be followed otherwise.
      const flags = O_WRONLY | O_APPEND | NO_FOLLOW | (isThere ? 0 : O_CREAT | O_EXCL);
      const descriptor = this.#disk.openSync(this.#place.absolute(path), flags, 0o666);
      try {
        commit.beforeCommit?.();
        const bytes = Buffer.from(text);
        this.#unflushed.add(path);
        for (let done = 0; done < bytes.length; ) done += this.#disk.writeSync(descriptor, bytes, done);
      } finally {
        this.#disk.closeSync(descriptor);
      }
    });
  }

  truncate(path: string, size: number, commit: Commit = {}): Promise<void> {
    return this.#do(path, 'write', async () => {
      if (!this.#place.isThere(path)) throw missing(path);
      const descriptor = this.#disk.openSync(this.#place.absolute(path), constants.O_RDWR | NO_FOLLOW);
      try {
        if (this.#disk.fstatSync(descriptor).size <= size) return;
        commit.beforeCommit?.();
        this.#unflushed.add(path);
        this.#disk.ftruncateSync(descriptor, size);
      } finally {
        this.#disk.closeSync(descriptor);
      }
    });
  }

  async createExclusive(path: string, text: string, commit: Commit = {}): Promise<boolean> {
    const parts = { disk: this.#disk, place: this.#place, temporary: this.#temporary };
    const isMade = await this.#do(path, 'write', () => createExclusively(parts, path, text, commit));
    // Its own text too: without hard links it was written in place.
    if (isMade) await Promise.all([this.flush(path), this.flush(parentPath(path))]);
    return isMade;
  }

  copy(from: string, to: string, commit: Commit = {}): Promise<boolean> {
    return this.#do(to, 'write', async () => {
      if (!this.#place.isThere(from)) throw missing(from);
      this.#reader.checkKind(from, 'file');
      this.#place.checkFolder(to);
      try {
        commit.beforeCommit?.();
        this.#unflushed.add(to);
        this.#disk.copyFileSync(this.#place.absolute(from), this.#place.absolute(to), constants.COPYFILE_EXCL);
        return true;
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      }
    });
  }

  makeFolder(path: string, commit: Commit = {}): Promise<void> {
    return this.#do(path, 'write', async () => {
      if (this.#place.isThere(path)) return this.#reader.checkKind(path, 'folder');
      const fresh = [path];
      for (let at = parentPath(path); at !== '' && !this.#place.isThere(at); at = parentPath(at)) fresh.push(at);
      commit.beforeCommit?.();
      for (const each of fresh) this.#unflushed.add(each);
      this.#disk.mkdirSync(this.#place.absolute(path), { recursive: true });
    });
  }

  remove(path: string): Promise<void> {
    return this.#do(path, 'write', async () => {
      const file = this.#place.absolute(path);
      if (!this.#place.isThere(parentPath(path))) return;
      this.#unflushed.add(path); // of what is gone, its folder is flushed
      await this.#disk.unlink(file).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    });
  }

  removeEmpty(path: string): Promise<void> {
    return this.#do(path, 'write', async () => {
      if (!this.#place.isThere(path)) return;
      this.#unflushed.add(path);
      this.#disk.rmdirSync(this.#place.absolute(path));
    }).catch(() => undefined); // something is in it
  }

  flush(path: string): Promise<void> {
    return this.#flushes.flush(path);
  }

  async settle(isAll = false): Promise<boolean> {
    const left = isAll ? await everythingIn(this, MOST_OF_OTHERS) : { paths: [], areAll: true };
    for (const path of left.paths) this.#unflushed.add(path);
    const { paths, areAll } = this.#unflushed.take();
    const folders = new Set(paths.map(parentPath));
    await Promise.all([...new Set([...paths, ...folders])].map((path) => this.flush(path)));
    return areAll && left.areAll;
  }

  async cleanUp(): Promise<void> {
    const left = await this.list(TEMPORARY_FOLDER);
    await Promise.all(
      left.filter((entry) => entry.kind === 'file').map(({ name }) => this.remove(`${TEMPORARY_FOLDER}/${name}`)),
    );
  }

  /** On Windows, programs can set the time of change. */
  get #hasStamps(): boolean {
    return this.#platform !== 'win32';
  }

  /** Carries out one operation, in turn, and converts the system's errors to ours. */
  #do<T>(path: string, doing: Doing, operation: () => Promise<T>): Promise<T> {
    return this.#limit(async () => {
      try {
        await this.#breather.breathe();
        return await operation();
      } catch (error) {
        throw toFileError(error, `${this.root}/${path}`, doing);
      }
    });
  }

  /** Flushes what still exists. Windows cannot flush folders: there a rename is durable by itself. */
  async #flushNow(path: string): Promise<void> {
    if (!this.#place.isThere(path)) return;
    const isFolder = this.#disk.lstatSync(this.#place.absolute(path)).isDirectory();
    if (isFolder && this.#platform === 'win32') return;
    const flags = (isFolder ? constants.O_RDONLY : constants.O_RDWR) | NO_FOLLOW;
    const descriptor = this.#disk.openSync(this.#place.absolute(path), flags);
    try {
      await (isFolder ? this.#disk.fsync(descriptor) : this.#disk.fdatasync(descriptor));
    } finally {
      this.#disk.closeSync(descriptor);
    }
  }
}

/** More of them are not kept track of: their names would take more memory than they are worth. */
const MOST = 50_000;

/** The files and folders that were written and may not be on the disk itself yet. */
class Unflushed {
  #paths = new Set<string>();
  #areAll = true;

  add(path: string): void {
    if (this.#paths.size < MOST) this.#paths.add(path);
    else this.#areAll &&= this.#paths.has(path);
  }

  /** Returns those since the last time; `areAll` tells whether there were no others. */
  take(): { paths: string[]; areAll: boolean } {
    const taken = { paths: [...this.#paths], areAll: this.#areAll };
    this.#paths = new Set();
    this.#areAll = true;
    return taken;
  }
}

const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 100;
const LONGEST_TOTAL_MS = 10_000;

/**
 * Renames a file; if Windows refuses because somebody (an indexer, a virus scanner, a reader) has the file open, retries
 * for about 10 seconds.
 * @param rename must throw what the system call throws, and is repeated as a whole
 * @param platform `process.platform`; a refusal is final except on Windows
 * @param wait for tests
 */
export async function renameWithRetry(
  rename: () => void,
  platform: string,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<void> {
  let waited = 0;
  for (let pause = FIRST_WAIT_MS; ; pause = Math.min(pause * 2, LONGEST_WAIT_MS)) {
    try {
      rename();
      return;
    } catch (error) {
      if (platform !== 'win32' || !isTransient(error) || waited >= LONGEST_TOTAL_MS) throw error;
    }
    await wait(pause);
    waited += pause;
  }
}

function isTransient(error: unknown): boolean {
  return ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error));
}

/**
 * The paths of all files and folders, the top one included, apart from temporary files; `areAll` is false if there are more
 * than `most`, which are then left out.
 */
async function everythingIn(files: ReadFiles, most: number): Promise<{ paths: string[]; areAll: boolean }> {
  const paths: string[] = [''];
  for (const waiting = ['']; waiting.length > 0; ) {
    const folder = waiting.pop() as string;
    for (const { name, kind } of await files.list(folder)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'other' || path === TEMPORARY_FOLDER) continue;
      if (paths.length >= most) return { paths, areAll: false };
      paths.push(path);
      if (kind === 'folder') waiting.push(path);
    }
  }
  return { paths, areAll: true };
}

interface Flush {
  /** Under way. */
  readonly now: Promise<void>;
  /** Begins once that is done, for what was written since it began. */
  next?: Promise<void>;
}

/**
 * Flushes by path, in groups: whoever asks while a flush of the same path is under way waits for the next one, together
 * with all others who do. So the number of flushes depends on how long one takes, not on how many ask.
 */
export class GroupedFlushes {
  readonly #flush: (path: string) => Promise<void>;
  readonly #underWay = new Map<string, Flush>();

  /** @param flush brings everything written at a path so far to the disk itself */
  constructor(flush: (path: string) => Promise<void>) {
    this.#flush = flush;
  }

  /** Resolves when everything written at a path before the call is on the disk itself. */
  flush(path: string): Promise<void> {
    const running = this.#underWay.get(path);
    if (!running) return this.#begin(path);
    running.next ??= running.now.then(
      () => this.#begin(path),
      () => this.#begin(path),
    );
    return running.next;
  }

  #begin(path: string): Promise<void> {
    const now = this.#flush(path);
    const mine: Flush = { now };
    this.#underWay.set(path, mine);
    const end = (): void => {
      if (this.#underWay.get(path) === mine && !mine.next) this.#underWay.delete(path);
    };
    now.then(end, end);
    return now;
  }
}
