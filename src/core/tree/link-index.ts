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
  readonly #byId = new Map<string, TreeNode>();
  readonly #linkedTo = new Map<string, Set<TreeNode>>();

  /** The node with an id; if two have it, the first one. */
  byId(id: string): TreeNode | undefined {
    return this.#byId.get(id);
  }

  /** The links of a node, in the order of its file. */
  from(node: TreeNode): ResolvedLink[] {
    return (node.file?.links ?? []).map((link) => this.#resolve(node, link));
  }

  /** The links that lead to a node. */
  to(node: TreeNode): ResolvedLink[] {
    const id = node.file?.id;
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
    const { id, links = [] } = node.file ?? {};
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, node);
    for (const { to } of links) this.#linkedTo.set(to, (this.#linkedTo.get(to) ?? new Set()).add(node));
  }

  delete(node: TreeNode): void {
    const { id, links = [] } = node.file ?? {};
    if (id !== undefined && this.#byId.get(id) === node) this.#byId.delete(id);
    for (const { to } of links) {
      const nodes = this.#linkedTo.get(to);
      nodes?.delete(node);
      if (nodes?.size === 0) this.#linkedTo.delete(to);
    }
  }

  #resolve(from: TreeNode, { type, to: id }: Link): ResolvedLink {
    return { type, from, to: this.#byId.get(id), id };
  }
}
