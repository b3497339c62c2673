import TinyQueue from 'tinyqueue';
import { byPosition } from '../../../core/tree/by-position.ts';
import type { NodeId, TreeNode } from '../../../core/tree/tree.ts';

interface Entry {
  readonly node: TreeNode;
  readonly score: number;
}

/**
 * The nodes that may be worked on next, accessible in three ways: by membership, best first (score, then the shallowest,
 * then order in the tree), and through a moving window. Every step takes the same time however many there are, up to a
 * logarithm: removed nodes are only skipped when they are met.
 */
export class OpenLeaves {
  readonly #members = new Map<NodeId, Entry>();
  readonly #best = new TinyQueue<Entry>([], byWorth);
  readonly #firstLevel = new TinyQueue<TreeNode>([], byPosition);
  #firstLevelSize = 0;
  #window: TreeNode[] = [];
  #windowStart = 0;

  get size(): number {
    return this.#members.size;
  }

  /** The number of them on the first level. */
  get firstLevelSize(): number {
    return this.#firstLevelSize;
  }

  has(id: NodeId): boolean {
    return this.#members.has(id);
  }

  ids(): NodeId[] {
    return [...this.#members.keys()];
  }

  /** Adds a node, or updates its score. */
  add(node: TreeNode): void {
    const known = this.#members.get(node.id);
    const entry = { node, score: node.evaluation?.score ?? -1 };
    if (known?.score === entry.score) return;
    this.#members.set(node.id, entry);
    this.#best.push(entry);
    if (known) return;
    if (node.depth === 1) {
      this.#firstLevelSize++;
      this.#firstLevel.push(node);
    }
    this.#window.push(node);
  }

  delete(id: NodeId): void {
    if (this.#members.get(id)?.node.depth === 1) this.#firstLevelSize--;
    this.#members.delete(id);
  }

  /** The first one on the first level, in order. */
  nextOfFirstLevel(): TreeNode | undefined {
    while (this.#firstLevel.length > 0) {
      const node = this.#firstLevel.peek() as TreeNode;
      if (this.#members.has(node.id)) return node;
      this.#firstLevel.pop();
    }
    return undefined;
  }

  /** The best one. */
  best(): TreeNode | undefined {
    while (this.#best.length > 0) {
      const entry = this.#best.peek() as Entry;
      if (this.#members.get(entry.node.id) === entry) return entry.node;
      this.#best.pop();
    }
    return undefined;
  }

  /** Up to `count` of those below the first level, the best first: the same for the same tree, unlike a window. */
  bestGuided(count: number): TreeNode[] {
    const guided = [...this.#members.values()].filter(({ node }) => node.depth > 1);
    return guided
      .sort(byWorth)
      .slice(0, count)
      .map(({ node }) => node);
  }

  /**
   * Up to `count` of them below the first level; the next call continues where this one ended, in a cycle.
   * @param isWanted leaves out others
   */
  nextWindow(count: number, isWanted: (id: NodeId) => boolean = () => true): TreeNode[] {
    this.#compact();
    const found = new Set<TreeNode>(); // one that left and came back is in the window twice
    const length = this.#window.length;
    let at = this.#windowStart;
    for (let seen = 0; seen < length && found.size < count; seen++) {
      const node = this.#window[at % length] as TreeNode;
      at++;
      if (node.depth > 1 && this.#members.has(node.id) && isWanted(node.id)) found.add(node);
    }
    this.#windowStart = length === 0 ? 0 : at % length;
    return [...found];
  }

  // Removed nodes are taken out of the window once they make up half of it, so that the work is spread evenly.
  #compact(): void {
    if (this.#window.length < 2 * this.#members.size + 16) return;
    const seen = new Set<NodeId>();
    const keep = (node: TreeNode): boolean => {
      if (!this.#members.has(node.id) || seen.has(node.id)) return false;
      seen.add(node.id);
      return true;
    };
    const before = this.#window.slice(0, this.#windowStart).filter(keep);
    const after = this.#window.slice(this.#windowStart).filter(keep);
    this.#window = [...before, ...after];
    this.#windowStart = before.length;
  }
}

function byWorth(a: Entry, b: Entry): number {
  return b.score - a.score || a.node.depth - b.node.depth || byPosition(a.node, b.node);
}
