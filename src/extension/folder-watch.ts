import { existsSync, type FSWatcher, watch } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

/** The most folders that one watch spends the system's watches on; what is beyond is left to the editor's watcher. */
const MOST_FOLDERS = 5000;

/**
 * Watches a folder and those below it, however quickly they were made one in the other: each is watched before it is
 * read. One watch of the system's a folder, none a file.
 */
export class FolderWatch {
  readonly #root: string;
  readonly #depth: number;
  readonly #tell: (path: string) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  /** What waits for the folder to come. */
  #waiting: FSWatcher | undefined;
  #isClosed = false;

  /**
   * Where the folder is not there yet, or goes, its coming is watched for.
   * @param depth how many levels of folders below it are watched too
   * @param tell called with the path of what changed; more than once for one change
   */
  constructor(root: string, depth: number, tell: (path: string) => void) {
    this.#root = root;
    this.#depth = depth;
    this.#tell = tell;
    this.#begin(false);
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting?.close();
    this.#drop(this.#root);
  }

  #begin(isNew: boolean): void {
    this.#waiting?.close();
    this.#waiting = undefined;
    if (!this.#add(this.#root, this.#depth, isNew)) this.#wait();
  }

  /** Waits at the nearest folder above that is there. */
  #wait(): void {
    for (let next = this.#root, above = dirname(next); above !== next; next = above, above = dirname(next)) {
      if (this.#isClosed) return;
      this.#waiting = open(above, (_event, name) => {
        if (name === basename(next) || !existsSync(above)) this.#begin(true);
      });
      if (!this.#waiting) continue;
      if (existsSync(next)) this.#begin(true); // made meanwhile
      return;
    }
  }

  /** @returns whether the folder is there and watched */
  #add(folder: string, depth: number, isNew: boolean): boolean {
    if (this.#isClosed || this.#watchers.size >= MOST_FOLDERS) return false;
    const watcher = open(folder, (event, name) => this.#changed(folder, depth, event, name));
    if (!watcher) return false;
    this.#watchers.set(folder, watcher);
    if (isNew) this.#tell(folder);
    if (depth > 0) void this.#addBelow(folder, depth - 1, isNew);
    return true;
  }

  async #addBelow(folder: string, depth: number, isNew: boolean): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && mayHoldNodes(entry.name) && !this.#watchers.has(path)) this.#add(path, depth, isNew);
    }
  }

  #changed(folder: string, depth: number, event: string, name: string): void {
    if (event === 'rename' && folder === this.#root && !existsSync(folder)) {
      this.#drop(folder);
      this.#begin(true);
    }
    this.#tell(join(folder, name));
    if (event === 'rename' && depth > 0 && mayHoldNodes(name)) void this.#lookAt(join(folder, name), depth - 1);
  }

  /** Something of this name came or went; a folder that came back is another one. */
  async #lookAt(path: string, depth: number): Promise<void> {
    const found = await lstat(path).catch(() => undefined);
    this.#drop(path);
    if (found?.isDirectory()) this.#add(path, depth, true);
  }

  /** No longer watches a folder and those below it. */
  #drop(path: string): void {
    for (const [watched, watcher] of this.#watchers)
      if (watched === path || watched.startsWith(path + sep)) {
        watcher.close();
        this.#watchers.delete(watched);
      }
  }
}

/** @returns nothing where the folder is not there, or the system has no watches left */
function open(folder: string, changed: (event: string, name: string) => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false });
    watcher.on('change', (event, name) => name !== null && changed(event, String(name)));
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

/** The files of nodes are not folders, and what begins with a dot says nothing of them. */
function mayHoldNodes(name: string): boolean {
  return !/^\.|\.(json|md)$/.test(name);
}
