import { sep } from 'node:path';
import type { DiskOperations } from './disk-operations.ts';
import { isMissing } from './file-error.ts';
import { checkPath, folderOf, outside } from './file-path.ts';

/** Where the paths of a search lie on disk, and whether they really lie there. */
export class DiskPlace {
  readonly root: string;
  readonly #disk: DiskOperations;
  readonly #foldedRoot: string;

  /** @param root the real path of the search's folder */
  constructor(root: string, disk: DiskOperations) {
    this.root = root;
    this.#disk = disk;
    this.#foldedRoot = fold(root.endsWith(sep) ? root.slice(0, -1) : root);
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
   * Whether something stands at a path.
   * @throws ThoughtTreeError `outside` where a symbolic link leads there: it could lead anywhere, or round in circles
   */
  async isThere(path: string): Promise<boolean> {
    const real = await this.#disk.realpath(this.absolute(path)).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (real === undefined) return false;
    const expected = path === '' ? this.#foldedRoot : `${this.#foldedRoot}/${fold(path)}`;
    if (fold(real) !== expected) throw outside(path);
    return true;
  }

  /**
   * Makes sure that the folder of a file is there.
   * @throws ThoughtTreeError `outside`; and ENOENT where it is not there
   */
  async checkFolder(path: string): Promise<void> {
    if (path === '') throw outside(path);
    this.absolute(path);
    if (!(await this.isThere(folderOf(path)))) throw missing(path);
  }
}

// Some file systems keep names in another case or another Unicode form than they are asked for.
function fold(path: string): string {
  return path.replaceAll(sep, '/').normalize('NFC').toLowerCase();
}

/** The error of the system where nothing stands at a path. */
export function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory, '${path}'`), { code: 'ENOENT' });
}
