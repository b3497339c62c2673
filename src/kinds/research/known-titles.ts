import { isPruned, type NodeId, type Tree, type TreeNode, walk } from '../../core/tree/tree.ts';

/** The topics of a search by their titles, so that none is researched twice. Built on first use, then kept up. */
export class KnownTitles {
  readonly #tree: Tree;
  #byTitle: Map<string, NodeId> | undefined;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Returns the topic with a title, letter case, white space and a full stop apart; none that is pruned or a duplicate. */
  find(title: string): TreeNode | undefined {
    const id = this.#titles().get(keyOf(title));
    const node = id === undefined ? undefined : this.#tree.get(id);
    const isSame = node?.depth && keyOf(node.title) === keyOf(title) && node.leafReason !== 'duplicate';
    return isSame && !isPruned(node) ? node : undefined;
  }

  add(nodes: Iterable<TreeNode>): void {
    const titles = this.#titles();
    for (const { title, id } of nodes) {
      const key = keyOf(title);
      if (this.find(title) === undefined) titles.set(key, id);
    }
  }

  #titles(): Map<string, NodeId> {
    if (this.#byTitle) return this.#byTitle;
    this.#byTitle = new Map();
    this.add(walk(this.#tree.root));
    return this.#byTitle;
  }
}

function keyOf(title: string): string {
  return title
    .normalize('NFC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/[\s.。]+$/u, '')
    .trim();
}
