import type { ReadStore } from '../../core/ports/store.ts';
import { parentPath } from '../../core/tree/slug-path.ts';
import { nodeAt, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import type { SearchReadStore } from '../../store/search-read-store.ts';

/** Told now and then how many nodes of a tree were read so far. */
export type OnRead = (nodes: number) => void;

/** The tree of a search that others may be working on, read from its files and updated on request. */
export class FollowedTree {
  #tree: Tree | undefined;
  #opening: Promise<Tree> | undefined;

  /** The tree as last read and updated; read now if it has not been. */
  async known(store: ReadStore, title: string, isActive: boolean): Promise<Tree> {
    return this.#tree ?? (await (this.#opening ?? this.open(store, title, isActive)));
  }

  /** The tree as the journal tells it. */
  async told(store: SearchReadStore, title: string, isActive: boolean): Promise<Tree> {
    const { reading } = await import('./reading.ts');
    return await reading.toldTree(store, title, isActive);
  }

  /** @param isActive whether somebody works on the search, so that nodes really are in progress */
  async open(store: ReadStore, title: string, isActive: boolean, onRead?: OnRead): Promise<Tree> {
    const opening = import('./reading.ts').then(({ reading }) =>
      reading.openTree(store, title, isActive ? 'follower' : 'reader', onRead),
    );
    this.#opening = opening;
    try {
      this.#tree = await opening;
      return this.#tree;
    } finally {
      if (this.#opening === opening) this.#opening = undefined;
    }
  }

  /** Nobody looks at it any more: it is read again when it is needed. */
  forget(): void {
    this.#tree = undefined;
  }

  /**
   * Rereads nodes, and reads new ones below them; an unknown node is looked for from the nearest known one above.
   * @returns the nodes that were read, and those above them
   */
  async look(store: ReadStore, paths: Iterable<string>, isActive: boolean): Promise<ReadonlySet<TreeNode>> {
    const touched = new Set<TreeNode>();
    const tree = this.#tree;
    if (!tree) return touched;
    const { reading } = await import('./reading.ts');
    const at = { tree, store, live: isActive };
    for (const path of paths) {
      const queue = [nearest(tree, path)];
      for (let node = queue.pop(); node; node = queue.pop()) {
        const { parent } = node;
        const { added } = await reading.reconcile(at, node);
        touched.add(node).add(parent ?? node);
        queue.push(...added);
      }
    }
    return touched;
  }
}

/** The node at a path, or the nearest existing one above it. */
function nearest(tree: Tree, path: string): TreeNode {
  for (let at = path; at !== ''; at = parentPath(at)) {
    const node = nodeAt(tree, at);
    if (node) return node;
  }
  return tree.root;
}
