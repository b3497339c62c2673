import { randomUUID } from 'node:crypto';
import { isMissing } from '../file-error.ts';
import { type FileText, TEMPORARY_FOLDER } from '../files.ts';
import type { DiskOperations } from './disk-operations.ts';
import type { DiskPlace } from './disk-place.ts';

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
