import { watch } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import { codeOf, type Entry, type FolderLook } from './files.ts';

/** Single operations, synchronous and without a check of the folders above; they throw if something is wrong. */
interface Quick {
  text(path: string): string | undefined;
  isFile(path: string): boolean;
}

/** Does the work of `ReadFiles.look` in a folder whose own path has been checked. */
export function lookAt(
  quick: Quick,
  path: string,
  entries: readonly Entry[],
  names: readonly string[],
  held: string,
): FolderLook {
  const at = (name: string): string => (path === '' ? name : `${path}/${name}`);
  const texts = new Map<string, string>();
  const holding = new Set<string>();
  for (const entry of entries) {
    const { name, kind } = entry;
    if (kind === 'file' && names.includes(name)) {
      const text = quietly(() => quick.text(at(name)));
      if (text !== undefined) texts.set(name, text);
    } else if (mayHold(entry) && quietly(() => quick.isFile(`${at(name)}/${held}`))) holding.add(name);
  }
  return { entries, texts, holding };
}

/** Tells whether an entry can be a folder of ours: those that begin with a dot are not looked into. */
export function mayHold({ name, kind }: Entry): boolean {
  return kind === 'folder' && !name.startsWith('.');
}

/** Returns undefined for what cannot be read: the operation for it alone says why. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isThoughtTreeError(error) || codeOf(error) !== '') return undefined;
    throw error;
  }
}

/** File systems without change notifications are polled this often, in milliseconds. */
const LOOK_MS = 500;

/** Watches a folder for changes; returns a function that ends it. May throw if the system does not support it. */
export type WatchFolder = (folder: string, onChange: () => void) => () => void;

/** Wakes up when something changes in a folder, and polls where the file system does not notify. */
export class FolderChanges {
  readonly #keepAlive: boolean;
  readonly #close: () => void;
  #wake: (() => void) | undefined;
  #changed = false;
  #closed = false;

  /** @param keepAlive whether the process must not exit while somebody waits here */
  constructor(folder: string, keepAlive: boolean, watchFolder: WatchFolder = watchWithSystem) {
    this.#keepAlive = keepAlive;
    this.#close = start(watchFolder, folder, () => this.#notice());
  }

  /** Resolves at the next change since the last call, or after so many milliseconds, or when it is closed. */
  async next(ms: number): Promise<void> {
    if (!this.#changed && !this.#closed) await this.#sleep(Math.min(ms, LOOK_MS));
    this.#changed = false;
  }

  close(): void {
    this.#closed = true;
    this.#close();
    this.#notice();
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      if (!this.#keepAlive) timer.unref();
      this.#wake = (): void => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  #notice(): void {
    this.#changed = true;
    this.#wake?.();
  }
}

function start(watchFolder: WatchFolder, folder: string, onChange: () => void): () => void {
  try {
    return watchFolder(folder, onChange);
  } catch {
    return () => undefined; // no watches left on this system: polling has to do
  }
}

function watchWithSystem(folder: string, onChange: () => void): () => void {
  const watcher = watch(folder, { persistent: false }, onChange);
  watcher.on('error', () => watcher.close());
  return () => watcher.close();
}

/**
 * Makes a folder and those above it that are missing, one by one. Node's own way never ends where a folder that is there says of
 * what is made in it that there is no such place, as /proc does.
 * @returns the topmost that was made; undefined if none was
 * @throws the system's error
 */
export async function makeFolders(folder: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let at = folder; !(await isFolder(at)) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const each of missing) {
    await mkdir(each).catch(async (error: unknown) => {
      // Somebody else made it meanwhile.
      if (codeOf(error) !== 'EEXIST' || !(await isFolder(each))) throw error;
    });
  }
  return missing[0];
}

async function isFolder(place: string): Promise<boolean> {
  return (await stat(place).catch(() => undefined))?.isDirectory() === true;
}
