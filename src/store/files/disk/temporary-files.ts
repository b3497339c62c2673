import { randomUUID } from 'node:crypto';
import { type Commit, codeOf, type FileText, isMissing, TEMPORARY_FOLDER } from '../files.ts';
import type { DiskOperations } from './disk-operations.ts';
import type { DiskPlace } from './disk-reader.ts';

/** Files that are written in full before they are moved into place. They share one folder, so that none is overlooked. */
export class TemporaryFiles {
  readonly #disk: DiskOperations;
  readonly #place: DiskPlace;
  // Their folder is checked once: nothing in a search can turn it into a link later.
  #ready: Promise<void> | undefined;

  constructor(disk: DiskOperations, place: DiskPlace) {
    this.#disk = disk;
    this.#place = place;
  }

  /**
   * Writes a text to a new file.
   * @param flush whether to wait until it is on the disk itself
   * @returns its absolute path
   */
  async write(text: FileText, flush: boolean): Promise<string> {
    this.#ready ??= this.#makeFolder();
    await this.#ready.catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    const file = this.#place.absolute(`${TEMPORARY_FOLDER}/${process.pid}-${randomUUID()}`);
    try {
      await this.#write(file, text, flush);
    } catch (error) {
      if (isMissing(error)) this.#ready = undefined;
      await this.discard(file);
      throw error;
    }
    return file;
  }

  /** Removes one, if it still exists; one that cannot be removed is left to the next opening. */
  async discard(file: string): Promise<void> {
    await this.#disk.unlink(file).catch(() => undefined);
  }

  async #write(file: string, text: FileText, flush: boolean): Promise<void> {
    const descriptor = await this.#disk.open(file, 'wx');
    try {
      if (typeof text === 'string') this.#put(descriptor, text);
      else for await (const piece of text) this.#put(descriptor, piece);
      if (flush) await this.#disk.fdatasync(descriptor);
    } finally {
      this.#disk.closeSync(descriptor);
    }
  }

  #put(descriptor: number, text: string): void {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += this.#disk.writeSync(descriptor, bytes, done);
  }

  async #makeFolder(): Promise<void> {
    this.#place.isThere('.search');
    if (this.#place.isThere(TEMPORARY_FOLDER)) return;
    await this.#disk.mkdir(this.#place.absolute(TEMPORARY_FOLDER), { recursive: true });
  }
}

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
