import { ThoughtTreeError } from '../../core/search/errors.ts';
import { parentPath } from '../../core/tree/slug.ts';
import type { Files } from '../files/files.ts';
import { notAFile } from '../messages.ts';
import { JOURNAL } from './journal-reader.ts';

interface Waiting {
  readonly line: string;
  readonly flush: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const NEWLINE = 0x0a;
const CHUNK = 64 * 1024;
const HOLE_CHUNK = 1024 * 1024;

/**
 * An append-only file of lines, such as the record of a search. One write is under way at a time; lines added meanwhile go with the next one.
 * Flushes are made in groups, and hold up no write.
 */
export class Journal {
  readonly #files: Files;
  readonly #check: () => void;
  readonly #file: string;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  readonly #flushing = new Set<Promise<void>>();
  /** True if its own entry in its folder is on the disk itself. */
  #isPlaced = false;
  // Bytes of whole lines; undefined until known, and again after a write that may have left part of a line.
  #size: number | undefined;

  /** @param check throws if this process may not write (any more) */
  constructor(files: Files, check: () => void, file = JOURNAL) {
    this.#files = files;
    this.#check = check;
    this.#file = file;
  }

  /**
   * Cuts off a last line that a crash left incomplete; an append does so too.
   * @param mayHaveHoles after a loss of power: zeros are where bytes were not on the disk yet, and nothing after them was
   *   flushed, so that it is cut off as well: half of what happened then would be misleading
   */
  async open(mayHaveHoles = false): Promise<void> {
    if (mayHaveHoles) await this.#cutHoles();
    this.#size ??= await this.#cutTornLine();
  }

  /**
   * Adds an event; resolves when the operating system has it. Lines are in the order of calls.
   * @param flush whether it, and all before it, must be on the disk itself when this resolves
   */
  append(event: object, flush = false): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: `${JSON.stringify(event)}\n`, flush, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Brings everything appended so far to the disk itself. */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#flush();
  }

  /** Resolves when nothing is waiting to be written or flushed. */
  async idle(): Promise<void> {
    while (this.#writing || this.#flushing.size > 0) await Promise.allSettled([this.#writing, ...this.#flushing]);
  }

  async #writeAll(): Promise<void> {
    await Promise.resolve(); // events appended in the same turn are written together
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(batch.map((each) => each.line).join(''));
        for (const each of batch) if (!each.flush) each.resolve();
        const waiting = batch.filter(({ flush }) => flush);
        if (waiting.length > 0) this.#flushFor(waiting);
      } catch (error) {
        for (const each of batch) each.reject(error);
      }
    }
    this.#writing = undefined;
  }

  #flushFor(waiting: readonly Waiting[]): void {
    const done: Promise<void> = this.#flush()
      .then(
        () => {
          for (const { resolve } of waiting) resolve();
        },
        (error: unknown) => {
          for (const { reject } of waiting) reject(error);
        },
      )
      .finally(() => this.#flushing.delete(done));
    this.#flushing.add(done);
  }

  async #flush(): Promise<void> {
    const folder = this.#isPlaced ? undefined : this.#files.flush(parentPath(this.#file));
    await Promise.all([this.#files.flush(this.#file), folder]);
    this.#isPlaced = true;
  }

  async #write(text: string): Promise<void> {
    this.#check();
    const size = this.#size ?? (await this.#cutTornLine());
    this.#size = undefined;
    await this.#files.append(this.#file, text, { beforeCommit: this.#check });
    this.#size = size + Buffer.byteLength(text);
  }

  /** @returns the number of remaining bytes */
  async #cutTornLine(): Promise<number> {
    const found = await this.#files.stat(this.#file);
    if (!found) return 0;
    if (found.kind !== 'file')
      throw new ThoughtTreeError('not-writable', notAFile({ file: `${this.#files.root}/${this.#file}` }));
    const whole = await this.#endOfWholeLines(found.size);
    if (whole < found.size) await this.#files.truncate(this.#file, whole, { beforeCommit: this.#check });
    return whole;
  }

  async #cutHoles(): Promise<void> {
    const size = (await this.#files.stat(this.#file))?.size ?? 0;
    for (let begin = 0; begin < size; begin += HOLE_CHUNK) {
      const hole = (await this.#files.readBytes(this.#file, begin, HOLE_CHUNK)).indexOf(0);
      if (hole >= 0) return await this.#files.truncate(this.#file, begin + hole, { beforeCommit: this.#check });
    }
  }

  async #endOfWholeLines(size: number): Promise<number> {
    for (let end = size; end > 0; ) {
      const begin = Math.max(0, end - CHUNK);
      const bytes = await this.#files.readBytes(this.#file, begin, end - begin);
      const newline = bytes.lastIndexOf(NEWLINE);
      if (newline >= 0) return begin + newline + 1;
      end = begin;
    }
    return 0;
  }
}
