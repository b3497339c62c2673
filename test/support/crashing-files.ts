import type { Entry, FileStat, Files, FolderLook, Stamp } from '../../src/store/files/files.ts';
import { someOf } from './effort.ts';

/**
 * Files whose process dies: from the n-th change on (from 1) nothing returns any more, as after a SIGKILL. The n-th
 * change itself is made or not, as told.
 */
export class CrashingFiles implements Files {
  readonly root: string;
  changes = 0;
  readonly #files: Files;
  #crashAt: number;
  readonly #made: boolean;
  readonly #crash = Promise.withResolvers<void>();

  constructor(files: Files, crashAt = Number.POSITIVE_INFINITY, made = false) {
    this.#files = files;
    this.root = files.root;
    this.#crashAt = crashAt;
    this.#made = made;
  }

  get crashed(): boolean {
    return this.changes >= this.#crashAt;
  }

  /**
   * Resolves when work on these files ended, or can go no further: a search whose files never answer again waits for
   * ever.
   * @throws what the work failed with before the crash
   */
  async ended(work: Promise<unknown>): Promise<void> {
    const stopped = this.#crash.promise.then(async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    });
    await Promise.race([work, stopped]).catch((error: unknown) => {
      if (!this.crashed) throw error;
    });
  }

  /** Dies here and now, whatever is under way. */
  die(): void {
    this.#crashAt = 0;
    this.#crash.resolve();
  }

  read(path: string): Promise<string | undefined> {
    return this.#look(() => this.#files.read(path));
  }
  readNow(path: string): string | undefined {
    return this.#files.readNow(path);
  }
  existsNow(path: string): boolean {
    return this.#files.existsNow(path);
  }
  identityNow(path: string): string | undefined {
    return this.#files.identityNow(path);
  }
  readBytes(...args: Parameters<Files['readBytes']>): Promise<Uint8Array> {
    return this.#look(() => this.#files.readBytes(...args));
  }
  stat(path: string): Promise<FileStat | undefined> {
    return this.#look(() => this.#files.stat(path));
  }
  list(path: string): Promise<Entry[]> {
    return this.#look(() => this.#files.list(path));
  }
  look(...args: Parameters<Files['look']>): Promise<FolderLook> {
    return this.#look(() => this.#files.look(...args));
  }
  stampNow(path: string): Stamp | undefined {
    return this.#files.stampNow(path);
  }
  now(): Promise<number | undefined> {
    return this.#look(() => this.#files.now());
  }
  writeAtomic(...args: Parameters<Files['writeAtomic']>): Promise<void> {
    return this.#change(() => this.#files.writeAtomic(...args));
  }
  append(...args: Parameters<Files['append']>): Promise<void> {
    return this.#change(() => this.#files.append(...args));
  }
  truncate(...args: Parameters<Files['truncate']>): Promise<void> {
    return this.#change(() => this.#files.truncate(...args));
  }
  createExclusive(...args: Parameters<Files['createExclusive']>): Promise<boolean> {
    return this.#change(() => this.#files.createExclusive(...args));
  }
  copy(...args: Parameters<Files['copy']>): Promise<boolean> {
    return this.#change(() => this.#files.copy(...args));
  }
  makeFolder(...args: Parameters<Files['makeFolder']>): Promise<void> {
    return this.#change(() => this.#files.makeFolder(...args));
  }
  remove(path: string): Promise<void> {
    return this.#change(() => this.#files.remove(path));
  }
  removeEmpty(path: string): Promise<void> {
    return this.#change(() => this.#files.removeEmpty(path));
  }
  flush(path: string): Promise<void> {
    return this.#look(() => this.#files.flush(path));
  }
  settle(isAll?: boolean): Promise<boolean> {
    return this.#look(() => this.#files.settle(isAll));
  }
  cleanUp(): Promise<void> {
    return this.#change(() => this.#files.cleanUp());
  }

  #look<T>(operation: () => Promise<T>): Promise<T> {
    return this.crashed ? new Promise<T>(() => undefined) : operation();
  }

  async #change<T>(operation: () => Promise<T>): Promise<T> {
    if (this.crashed) return new Promise<T>(() => undefined);
    this.changes++;
    if (!this.crashed) return operation();
    if (this.#made) await operation();
    this.#crash.resolve();
    return new Promise<T>(() => undefined);
  }
}

/** A change at which a process dies, which is still made, or not. */
export interface Kill {
  readonly crashAt: number;
  readonly made: boolean;
  /** In words. */
  readonly where: string;
}

/**
 * Returns the kills at every change of a work that makes so many, before and after it; some of them with less effort.
 * @param isOnce at each change only one of both, in turn
 */
export function killsIn(changes: number, isOnce = false): Kill[] {
  const all = Array.from({ length: 2 * changes }, (_, at): Kill => {
    const crashAt = Math.floor(at / 2) + 1;
    const made = at % 2 === 1;
    return { crashAt, made, where: `killed at change ${crashAt} of ${changes}, ${made ? 'made' : 'not made'}` };
  });
  const taken = isOnce ? all.filter(({ crashAt, made }) => made === (crashAt % 2 === 0)) : all;
  return someOf(taken, 12);
}
