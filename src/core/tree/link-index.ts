import type { Link } from './node-file.ts';
import type { TreeNode } from './tree.ts';

/** A link from one node to another; a missing target is shown as such and never guessed. */
export interface ResolvedLink {
  readonly type: string;
  readonly from: TreeNode;
  readonly to: TreeNode | undefined;
  /** The target's id in node.json. */
  readonly id: string;
}

/** The nodes of a tree by the ids in their files, and the links between them, in both directions. */
export class LinkIndex {
  readonly #nodes: () => Iterable<TreeNode>;
  /** Made on first use: most searches have no links, and nothing is moved. */
  #known: Map<string, TreeNode> | undefined;
  readonly #linkedTo = new Map<string, Set<TreeNode>>();

  /** @param nodes all nodes of the tree, in the order in which they were added */
  constructor(nodes: () => Iterable<TreeNode>) {
    this.#nodes = nodes;
  }

  /** The node with an id; if two have it, the first one. */
  byId(id: string): TreeNode | undefined {
    return this.#byId.get(id);
  }

  /** The links of a node, in the order of its file. */
  from(node: TreeNode): ResolvedLink[] {
    return node.links.map((link) => this.#resolve(node, link));
  }

  /** The links that lead to a node. */
  to(node: TreeNode): ResolvedLink[] {
    const id = node.fileId;
    if (id === undefined || this.#byId.get(id) !== node) return [];
    return [...(this.#linkedTo.get(id) ?? [])].flatMap((each) => this.from(each).filter((link) => link.id === id));
  }

  /** The links whose target is gone. */
  get broken(): ResolvedLink[] {
    const nodes = new Set([...this.#linkedTo].flatMap(([id, from]) => (this.#byId.has(id) ? [] : [...from])));
    return [...nodes].flatMap((node) => this.from(node).filter(({ to }) => !to));
  }

  /** Adds a node or its changed file; `delete` must be called before a change. */
  add(node: TreeNode): void {
    const { fileId: id, links } = node;
    if (this.#known && id !== undefined && !this.#known.has(id)) this.#known.set(id, node);
    for (const { to } of links) this.#linkedTo.set(to, (this.#linkedTo.get(to) ?? new Set()).add(node));
  }

  delete(node: TreeNode): void {
    const { fileId: id, links } = node;
    if (id !== undefined && this.#known?.get(id) === node) this.#known.delete(id);
    for (const { to } of links) {
      const nodes = this.#linkedTo.get(to);
      nodes?.delete(node);
      if (nodes?.size === 0) this.#linkedTo.delete(to);
    }
  }

  get #byId(): Map<string, TreeNode> {
    if (this.#known) return this.#known;
    this.#known = new Map();
    for (const node of this.#nodes()) {
      const id = node.fileId;
      if (id !== undefined && !this.#known.has(id)) this.#known.set(id, node);
    }
    return this.#known;
  }

  #resolve(from: TreeNode, { type, to: id }: Link): ResolvedLink {
    return { type, from, to: this.#byId.get(id), id };
  }
}
