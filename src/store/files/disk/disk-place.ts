import { checkPath, folderOf, outside } from '../file-path.ts';
import type { DiskOperations } from './disk-operations.ts';

/** Maps the paths of a search to the disk, and checks that they are really inside it. */
export class DiskPlace {
  readonly root: string;
  readonly #disk: DiskOperations;
  readonly #separator: '/' | '\\';

  /**
   * @param root the real path of the search's folder
   * @param platform `process.platform`
   */
  constructor(root: string, disk: DiskOperations, platform: string) {
    this.root = root;
    this.#disk = disk;
    this.#separator = platform === 'win32' ? '\\' : '/';
  }

  /**
   * The absolute path.
   * @throws ThoughtTreeError `outside` for a path that could lead out of the folder by its wording
   */
  absolute(path: string): string {
    checkPath(path);
    if (path === '') return this.root;
    const separator = this.#separator;
    return `${this.root}${separator}${separator === '/' ? path : path.replaceAll('/', separator)}`;
  }

  /**
   * Tells whether something exists at a path. Each part of the path is checked separately, without following it: one
   * cheap call per part, and a link is recognized on every file system, whether or not that distinguishes case.
   * @throws ThoughtTreeError `outside` for a symbolic link: it could lead anywhere, or in circles
   */
  isThere(path: string): boolean {
    const whole = this.absolute(path);
    for (let end = this.root.length; ; ) {
      const found = this.#disk.lstatSync(whole.slice(0, end), { throwIfNoEntry: false });
      if (!found) return false;
      if (found.isSymbolicLink()) throw outside(path);
      if (end === whole.length) return true;
      if (!found.isDirectory()) return false;
      const next = whole.indexOf(this.#separator, end + 1);
      end = next < 0 ? whole.length : next;
    }
  }

  /**
   * Makes sure that the folder of a file exists.
   * @throws ThoughtTreeError `outside`; and ENOENT if it does not exist
   */
  checkFolder(path: string): void {
    if (path === '') throw outside(path);
    this.absolute(path);
    if (!this.isThere(folderOf(path))) throw missing(path);
  }
}

/** The system's error for a path that does not exist. */
export function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory, '${path}'`), { code: 'ENOENT' });
}
