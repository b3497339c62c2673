import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, posix, relative, sep } from 'node:path';
import type { FileText, Unreadable } from '../../core/ports/workspace-text.ts';
import { isOddPath } from '../../core/text/text.ts';
import { SecretFilter } from '../secrets/secret-filter.ts';
import { listAll, SEARCHES, searchFolders } from './list-files.ts';
import { readText } from './read-text.ts';

const LONGEST_PATH = 1000;
const MOST_NAMED = 20;
/** The time for which a list of files is cached, in milliseconds: a document cites several, and others come later. */
const LIST_MS = 5000;
const NEW_MS = 200;
/**
 * The time for which a list that was made again for one file is cached, as a multiple of the time it took: in a large
 * folder, git is called once for everything that a document cites.
 */
const TIMES_AS_LONG = 10;

interface Missing {
  readonly unreadable: Unreadable;
}

type Found = FileText | Missing;

/**
 * Reads files that documents cite. Paths are hostile, and so may be the files: anything is refused that is outside the
 * workspace, behind a link that leads out of it, ignored by git, part of a search, likely to hold a secret, large, or not
 * text.
 */
export class CitedFiles {
  readonly #folder: string;
  #root: string | undefined;
  readonly #filter: SecretFilter;
  readonly #list: (folder: string) => Promise<ReadonlySet<string>>;
  #listed: Listed | undefined;

  /**
   * @param folder the workspace, an absolute path
   * @param searches as for `listAll`
   * @param list lists the files of a folder that may be cited
   */
  constructor(folder: string, allowedFiles: readonly string[] = [], searches?: string, list = listAll) {
    this.#folder = folder;
    this.#filter = new SecretFilter(folder, allowedFiles);
    this.#list = (root) => list(root, searches);
  }

  async read(path: string): Promise<Found> {
    const found = await this.#open(path);
    return 'unreadable' in found ? found : this.#filter.hide(found.path, found.text);
  }

  /** Returns the paths of listed files that have this name. */
  async named(name: string): Promise<string[]> {
    try {
      this.#root ??= await realpath(this.#folder);
      const isIt = (path: string): boolean => posix.basename(path) === name && !this.#filter.leavesOut(path);
      const found = Array.from(await this.#files(this.#root)).filter(isIt);
      return found.sort().slice(0, MOST_NAMED);
    } catch {
      return [];
    }
  }

  /** Returns the whole text of a file, and its real path within the workspace. */
  async #open(path: string): Promise<{ readonly path: string; readonly text: string } | Missing> {
    const steps = path.split('/');
    if (path === '' || path.length > LONGEST_PATH || isOddPath(path)) return { unreadable: 'outside' };
    if (isAbsolute(path) || /^[a-z]:/i.test(path) || steps.includes('..')) return { unreadable: 'outside' };
    try {
      this.#root ??= await realpath(this.#folder);
      const root = this.#root;
      const real = await realpath(join(root, ...steps));
      const inside = relative(root, real).split(sep).join('/');
      if (inside === '' || inside === '..' || inside.startsWith('../') || isAbsolute(inside))
        return { unreadable: 'outside' };
      if (!(await this.#isSource(root, inside))) return { unreadable: 'ignored' };
      return { path: inside, ...readText(real) };
    } catch {
      return { unreadable: 'missing' };
    }
  }

  /** By its real path: a link to an excluded file is excluded as well. */
  async #isSource(root: string, path: string): Promise<boolean> {
    const steps = path.split('/');
    if (
      this.#filter.leavesOut(path) ||
      steps[0] === SEARCHES ||
      steps.includes('.git') ||
      steps.includes('node_modules')
    )
      return false;
    const above = steps.map((_, place) => posix.join(...steps.slice(0, place), 'search.json'));
    const there = await Promise.all(above.map((file) => isThere(join(root, file))));
    if (
      searchFolders(
        root,
        above.filter((_, place) => there[place]),
      ).length > 0
    )
      return false;
    return (await this.#files(root)).has(path) || (await this.#files(root, true)).has(path);
  }

  /** @param refresh whether a file created a moment ago has to be in the list */
  #files(root: string, refresh = false): Promise<ReadonlySet<string>> {
    const now = performance.now();
    if (this.#listed && now < (refresh ? this.#listed.freshUntil : this.#listed.at + LIST_MS))
      return this.#listed.files;
    const listed: Listed = { at: now, freshUntil: Infinity, files: this.#list(root) };
    this.#listed = listed;
    const isDone = (): void => {
      const done = performance.now();
      listed.freshUntil = done + Math.max(NEW_MS, refresh ? Math.min(TIMES_AS_LONG * (done - now), LIST_MS) : 0);
    };
    listed.files.then(isDone, isDone);
    return listed.files;
  }
}

/** A list of files, or the promise of one. */
interface Listed {
  readonly at: number;
  /** Until when a file missing from it counts as excluded, as of `performance.now()`. */
  freshUntil: number;
  readonly files: Promise<ReadonlySet<string>>;
}

async function isThere(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}
