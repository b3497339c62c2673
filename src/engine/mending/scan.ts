import pLimit from 'p-limit';
import type { NodeOnDisk, Store } from '../../core/ports/store.ts';
import type { ChildrenFile } from '../../core/search/search-file.ts';
import { joinedPath } from '../../core/tree/slug-path.ts';

/** Folders read at the same time. */
const READS_AT_ONCE = 64;

/** Reads the disk, without files that a loss of power left empty or cut off: these are removed as they are found. */
export class Scan {
  /** By slug path. */
  readonly nodes = new Map<string, NodeOnDisk>();
  readonly ids = new Set<string>();
  /** The root's list; undefined if there is none. */
  list: ChildrenFile | undefined;
  /** Nodes that had files that were empty or cut off. */
  readonly torn = new Set<string>();
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads the whole search. */
  async all(): Promise<void> {
    if (await this.#store.dropTorn('')) this.torn.add('');
    const { children, folders } = await this.#store.readRootChildren();
    this.list = children;
    await this.branches(folders);
  }

  /** Reads nodes and all that is below them. */
  async branches(paths: readonly string[]): Promise<void> {
    const limit = pLimit(READS_AT_ONCE);
    let level = paths;
    while (level.length > 0) level = (await limit.map([...level], (path) => this.#look(path))).flat();
  }

  /** @returns the nodes below it */
  async #look(path: string): Promise<string[]> {
    if (await this.#store.dropTorn(path)) this.torn.add(path);
    const found = await this.#store.readNode(path);
    if (!found) return [];
    this.nodes.set(path, found);
    if (found.file.id !== undefined) this.ids.add(found.file.id);
    return found.folders.map((slug) => joinedPath(path, slug));
  }
}
