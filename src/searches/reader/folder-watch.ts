import { existsSync, type FSWatcher, watch } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

/** The most of the system's watches that all instances use together; the editor's watcher covers the rest. */
const MOST_FOLDERS = 10_000;
/** The most attempts to watch a folder that appears just as its appearance begins to be awaited. */
const TRIES = 3;
let watched = 0;

/**
 * Watches a folder and those below it, even if they are created in quick succession: each is watched before it is read.
 * One system watch per folder, none per file.
 */
export class FolderWatch {
  readonly #root: string;
  readonly #depth: number;
  readonly #tell: (path: string) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  /** Waits for the folder to appear. */
  #waiting: FSWatcher | undefined;
  #isClosed = false;

  /**
   * If the folder does not exist yet, or is removed, waits for it to appear.
   * @param depth how many levels of folders below it are watched too
   * @param tell called with the path of what changed; more than once per change
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

  /** A folder that exists but cannot be watched is treated as missing. */
  #begin(isNew: boolean): void {
    for (let tries = 0; tries < TRIES && !this.#isClosed; tries++) {
      this.#waiting?.close();
      this.#waiting = undefined;
      if (this.#add(this.#root, this.#depth, isNew || tries > 0)) return;
      const awaited = this.#wait();
      if (awaited === undefined || !existsSync(awaited)) return;
    }
  }

  /**
   * Waits at the nearest existing folder above.
   * @returns the folder that it waits for
   */
  #wait(): string | undefined {
    for (let next = this.#root, above = dirname(next); above !== next; next = above, above = dirname(next)) {
      // A folder that is deleted or moved away reports so under its own name.
      this.#waiting = open(above, (event, name) => {
        if (name === basename(next) || (event === 'rename' && name === basename(above))) this.#begin(true);
      });
      if (this.#waiting) return next;
    }
    return undefined;
  }

  /** @returns whether the folder exists and is watched */
  #add(folder: string, depth: number, isNew: boolean): boolean {
    if (this.#isClosed || watched >= MOST_FOLDERS) return false;
    const watcher = open(folder, (event, name) => this.#changed(folder, depth, event, name));
    if (!watcher) return false;
    this.#watchers.set(folder, watcher);
    watched++;
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
    // A folder that is deleted or moved away reports so under its own name, and another may already have replaced it.
    if (event === 'rename' && folder === this.#root && name === basename(folder)) {
      this.#drop(folder);
      this.#begin(true);
    }
    this.#tell(join(folder, name));
    if (event === 'rename' && depth > 0 && mayHoldNodes(name)) void this.#lookAt(join(folder, name), depth - 1);
  }

  /** An entry of this name appeared or disappeared; a folder that came back is another one. */
  async #lookAt(path: string, depth: number): Promise<void> {
    const found = await lstat(path).catch(() => undefined);
    this.#drop(path);
    if (found?.isDirectory()) this.#add(path, depth, true);
  }

  /** Stops watching a folder and those below it. */
  #drop(path: string): void {
    for (const [folder, watcher] of this.#watchers)
      if (folder === path || folder.startsWith(path + sep)) {
        watcher.close();
        this.#watchers.delete(folder);
        watched--;
      }
  }
}

/** @returns nothing if the folder does not exist, or the system has no watches left */
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

/** The files of nodes are not folders, and hidden entries are not nodes. */
function mayHoldNodes(name: string): boolean {
  return !/^\.|\.(json|md)$/.test(name);
}

/** Delay between a change and the look at it, in milliseconds: many changes in a short time share one look. */
const LOOK_MS = 250;
/** The number of looks that run at a time. */
const AT_ONCE = 4;

interface Due {
  readonly paths: Set<string>;
  readonly done: PromiseWithResolvers<void>;
  isUrgent: boolean;
}

/**
 * Looks at things that changed, by key: the changes of one thing together, one look at a thing after the other, and few
 * at once. A slow look does not delay the others.
 */
export class Looks {
  readonly #look: (key: string, paths: Set<string>) => Promise<void>;
  readonly #due = new Map<string, Due>();
  readonly #underWay = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  /** @param look called for a key, with the paths that were named since its last look */
  constructor(look: (key: string, paths: Set<string>) => Promise<void>) {
    this.#look = look;
  }

  /**
   * Schedules a look because something changed.
   * @returns resolves after the look that sees it, whether or not that failed
   */
  touch(key: string, path?: string): Promise<void> {
    const due = this.#enter(key);
    if (path !== undefined) due.paths.add(path);
    this.#wait();
    return due.done.promise;
  }

  /** Looks without waiting for further changes. */
  now(key: string): Promise<void> {
    const due = this.#enter(key);
    due.isUrgent = true;
    this.#begin();
    return due.done.promise;
  }

  #enter(key: string): Due {
    const due = this.#due.get(key) ?? { paths: new Set(), done: Promise.withResolvers<void>(), isUrgent: false };
    if (this.#isDisposed) due.done.resolve();
    else this.#due.set(key, due);
    return due;
  }

  #wait(): void {
    if (!this.#isDisposed) this.#timer ??= setTimeout(() => this.#begin(), LOOK_MS);
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isDisposed) return;
    for (const [key, due] of this.#due) {
      if (this.#underWay.size >= AT_ONCE) return;
      if (this.#underWay.has(key)) continue;
      this.#due.delete(key);
      this.#underWay.add(key);
      void this.#run(key, due);
    }
  }

  async #run(key: string, { paths, done }: Due): Promise<void> {
    try {
      await this.#look(key, paths);
    } catch {
      // Something that is being removed cannot be read: the next look from above will notice.
    }
    this.#underWay.delete(key);
    done.resolve();
    if ([...this.#due.values()].some(({ isUrgent }) => isUrgent)) this.#begin();
    else if (this.#due.size > 0) this.#wait();
  }

  /** Starts no more looks, and keeps nobody waiting. */
  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    for (const { done } of this.#due.values()) done.resolve();
    this.#due.clear();
  }
}

/**
 * The slug path of the node that a file or folder belongs to, empty for the search itself; undefined for anything
 * outside the search's folder. Both are absolute paths as the system writes them: Windows separates by `\`, and writes
 * a drive's letter either way.
 */
export function nodePathIn(search: string, file: string): string | undefined {
  const [above, parts] = [partsOf(search), partsOf(file)];
  if (above.some((part, index) => part !== parts[index])) return undefined;
  const below = parts.slice(above.length);
  if (/\.(json|md)$/.test(below.at(-1) ?? '')) below.pop();
  return below.join('/');
}

function partsOf(path: string): string[] {
  const drive = /^[A-Z]:/.exec(path)?.[0] ?? '';
  return (drive.toLowerCase() + path.slice(drive.length)).split(/[\\/]/).filter(Boolean);
}
