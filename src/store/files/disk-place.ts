import { sep } from 'node:path';
import type { DiskOperations } from './disk-operations.ts';
import { checkPath, folderOf, outside } from './file-path.ts';

/** Where the paths of a search lie on disk, and whether they really lie there. */
export class DiskPlace {
  readonly root: string;
  readonly #disk: DiskOperations;

  /** @param root the real path of the search's folder */
  constructor(root: string, disk: DiskOperations) {
    this.root = root;
    this.#disk = disk;
  }

  /**
   * The whole path.
   * @throws ThoughtTreeError `outside` for a path that could lead out of the folder by its wording
   */
  absolute(path: string): string {
    checkPath(path);
    return path === '' ? this.root : `${this.root}${sep}${sep === '/' ? path : path.replaceAll('/', sep)}`;
  }

  /**
   * Whether something exists at a path. Each part of the path is looked at by itself, without following it: one cheap
   * call a part, and a link is seen as a link on every file system, whatever it does with the case of names.
   * @throws ThoughtTreeError `outside` where a symbolic link leads there: it could lead anywhere, or round in circles
   */
  isThere(path: string): boolean {
    const whole = this.absolute(path);
    for (let end = this.root.length; ; ) {
      const found = this.#disk.lstatSync(whole.slice(0, end), { throwIfNoEntry: false });
      if (!found) return false;
      if (found.isSymbolicLink()) throw outside(path);
      if (end === whole.length) return true;
      if (!found.isDirectory()) return false;
      const next = whole.indexOf(sep, end + 1);
      end = next < 0 ? whole.length : next;
    }
  }

  /**
   * Makes sure that the folder of a file is there.
   * @throws ThoughtTreeError `outside`; and ENOENT where it is not there
   */
  checkFolder(path: string): void {
    if (path === '') throw outside(path);
    this.absolute(path);
    if (!this.isThere(folderOf(path))) throw missing(path);
  }
}

/** The error of the system where nothing stands at a path. */
export function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory, '${path}'`), { code: 'ENOENT' });
}
