import type { ReadStore } from '../../core/ports/store.ts';
import { parentPath } from '../../core/tree/slug-path.ts';
import { nodeAt, type Tree, type TreeNode } from '../../core/tree/tree.ts';

/** The tree of a search that others may be working on, read from its files, and kept up to date where it is told to look. */
export class FollowedTree {
  #tree: Tree | undefined;

  /** The tree as it was read and looked at last, read where it was not yet. */
  async known(store: ReadStore, title: string, isActive: boolean): Promise<Tree> {
    return this.#tree ?? (await this.open(store, title, isActive));
  }

  /** @param isActive whether somebody works on the search, so that what is in progress is so */
  async open(store: ReadStore, title: string, isActive: boolean): Promise<Tree> {
    const { reading } = await import('./reading.ts');
    this.#tree = await reading.openTree(store, title, isActive ? 'follower' : 'reader');
    return this.#tree;
  }

  /**
   * Looks at nodes again, and at what is new below them; a node that is not known is looked for from above.
   * @returns what was looked at, with the nodes above it
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

/** The node at a path, or the nearest above it that is there. */
function nearest(tree: Tree, path: string): TreeNode {
  for (let at = path; at !== ''; at = parentPath(at)) {
    const node = nodeAt(tree, at);
    if (node) return node;
  }
  return tree.root;
}
