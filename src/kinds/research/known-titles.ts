import { isPruned, type NodeId, type Tree, type TreeNode, walk } from '../../core/tree/tree.ts';

/** The topics of a search by their titles, so that none is researched twice. Built on first use, then kept up. */
export class KnownTitles {
  readonly #tree: Tree;
  #byTitle: Map<string, NodeId> | undefined;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Returns the topic with a title, letter case, white space and punctuation apart; none that is pruned or a duplicate. */
  find(title: string): TreeNode | undefined {
    const id = this.#titles().get(titleKey(title));
    const node = id === undefined ? undefined : this.#tree.get(id);
    const isSame = node?.depth && titleKey(node.title) === titleKey(title) && node.leafReason !== 'duplicate';
    return isSame && !isPruned(node) ? node : undefined;
  }

  add(nodes: Iterable<TreeNode>): void {
    const titles = this.#titles();
    for (const { title, id } of nodes) {
      const key = titleKey(title);
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

/** Returns what two titles have in common that differ in nothing but letter case, white space and punctuation. */
export function titleKey(title: string): string {
  const plain = title.normalize('NFKC').toLowerCase();
  const words = plain.replace(/\p{P}/gu, (mark) => (TELLING.includes(mark) ? mark : ' '));
  return words.replace(/\s+/gu, ' ').trim() || plain;
}

/** Signs that tell names apart, such as C and C#. */
const TELLING = '#%&@*/';
