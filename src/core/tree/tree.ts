import type { CitationCounts } from '../citations/citation.ts';
import type { Evaluation, Failure, LeafReason, Link, NodeData, NodeStatus, PrunedBy } from './node-file.ts';
import { MutableNode, type NodeFields, type NodeId } from './tree-node.ts';

/** One node in memory. Documents and conversations stay in the store. Changed through the tree only. */
export interface TreeNode {
  readonly id: NodeId;
  readonly parent: TreeNode | undefined;
  readonly slug: string;
  readonly depth: number;
  readonly title: string;
  readonly status: NodeStatus;
  readonly children: readonly TreeNode[];
  /** Place among its siblings, from 0. */
  readonly index: number;
  /** Its children.json exists: for the root, this means that the first level is known. */
  readonly listed: boolean;
  /** Its node.json, as last read or written, a new object for each use; undefined before it was read. */
  readonly file?: NodeData | undefined;
  /** The id in its file. */
  readonly fileId?: string | undefined;
  readonly links: readonly Link[];
  /** A hash of its document.md as last written or read; undefined if unknown. */
  readonly document?: string | undefined;
  readonly summary?: string | undefined;
  readonly evaluation?: Evaluation | undefined;
  readonly leafReason?: LeafReason | undefined;
  readonly prunedBy?: PrunedBy | undefined;
  readonly failure?: Failure | undefined;
  readonly sessionId?: string | undefined;
  readonly model?: string | undefined;
  /** False if it was good enough but not kept, and can be taken up later. */
  readonly selected?: boolean | undefined;
  /** The slug path of the equal node into which it was merged. */
  readonly sameAs?: string | undefined;
  /** The results of checking the citations in its document; undefined if it cites no file. */
  readonly citations?: CitationCounts | undefined;
  /** Judging it failed: it has no score, and a neutral place in the order. */
  readonly unscored?: boolean | undefined;
  /** The state after its verified steps; two nodes with the same state are merged. */
  readonly state?: string | undefined;
  /** The data that its kind derives about it from the journal; in no file of the node. */
  readonly derived?: object | undefined;
}

export type StatusCounts = Readonly<Record<NodeStatus, number>>;

/** The tree of one search. The root represents the question: no document, depth 0, never counted. */
export class Tree {
  readonly root: TreeNode;
  /** The nodes by the ids in their files, and the links between them. */
  readonly links = new LinkIndex(() => this.#nodes.filter((node) => node !== undefined));
  /** The nodes by id, which counts from 1. */
  readonly #nodes: (MutableNode | undefined)[] = [undefined];
  #size = 0;
  readonly #counts: Record<NodeStatus, number> = {
    unexpanded: 0,
    'in-progress': 0,
    expanded: 0,
    leaf: 0,
    pruned: 0,
    failed: 0,
  };
  #finished = 0;
  #duplicates = 0;
  #reorderings = 0;

  constructor(title: string) {
    this.root = this.#make(undefined, '', title, {});
  }

  /** The number of nodes by counted status (see `countedAs`), without the root. */
  get counts(): StatusCounts {
    return this.#counts;
  }

  /** Number of nodes, without the root. */
  get size(): number {
    return this.#size - 1;
  }

  /** Number of nodes whose list of children is known: what a search's size counts. */
  get finished(): number {
    return this.#finished;
  }

  /** Number of finished nodes on which something was spent: all but duplicates. */
  get worked(): number {
    return this.#finished - this.#duplicates;
  }

  /** The number of times that nodes in the tree changed places: anything sorted by position is stale after that. */
  get reorderings(): number {
    return this.#reorderings;
  }

  get(id: NodeId): TreeNode | undefined {
    return this.#nodes[id];
  }

  /** Adds a child at the end of its siblings. */
  add(parent: TreeNode, slug: string, fields: NodeFields & ({ title: string } | { file: NodeData })): TreeNode {
    return this.#append(parent, slug, fields.title ?? slug, fields);
  }

  /** Adds a child whose file is yet to be read. */
  addUnread(parent: TreeNode, slug: string, title: string): TreeNode {
    return this.#append(parent, slug, title, {});
  }

  update(node: TreeNode, fields: NodeFields): void {
    const changed = node as MutableNode;
    if (!this.#has(node)) {
      changed.set(fields); // it was removed, and may come back
      return;
    }
    const before = Number(node.status === 'pruned');
    this.#leave(changed);
    changed.set(fields);
    this.#enter(changed);
    const by = Number(node.status === 'pruned') - before;
    if (by !== 0) this.#cutOffBelow(node, by);
  }

  /** Removes a branch from the tree; returns its nodes, top first; none if it was already removed. */
  remove(node: TreeNode): TreeNode[] {
    if (!node.parent) throw new RangeError('the root cannot be removed');
    if (!this.#has(node)) return [];
    this.#detach(node as MutableNode);
    const branch = [...walk(node)];
    for (const each of branch) {
      this.#leave(each as MutableNode);
      this.#nodes[each.id] = undefined;
      this.#size--;
    }
    return branch;
  }

  /**
   * Moves a branch below another node, to the end, under another name; a removed one comes back. Its nodes keep their
   * identity.
   * @throws RangeError if the new parent is in the branch
   */
  move(node: TreeNode, parent: TreeNode, slug: string): void {
    const moved = node as MutableNode;
    if (isBelow(parent, node)) throw new RangeError('a branch cannot be moved into itself');
    if (moved.parent?.children[moved.index] === moved) this.#detach(moved);
    moved.parent = parent as MutableNode;
    moved.slug = slug;
    moved.parent.append(moved);
    for (const each of walk(moved) as Iterable<MutableNode>) {
      if (this.#has(each)) this.#leave(each);
      else this.#size++;
      const above = each.parent as MutableNode;
      each.depth = above.depth + 1;
      each.cutOffBy = above.cutOffBy + Number(above.status === 'pruned');
      this.#nodes[each.id] = each;
      this.#enter(each);
    }
    this.#reorderings++;
  }

  /** Reorders the children of a node; `slugs` names all of them. */
  reorder(parent: TreeNode, slugs: readonly string[]): void {
    const place = new Map(slugs.map((slug, index) => [slug, index]));
    const children = (parent as MutableNode).list;
    children.sort((a, b) => (place.get(a.slug) ?? a.index) - (place.get(b.slug) ?? b.index));
    if (children.some((child, index) => index > 0 && child.index < (children[index - 1] as MutableNode).index))
      this.#reorderings++;
    for (const [index, child] of children.entries()) child.index = index;
  }

  #append(parent: TreeNode, slug: string, title: string, fields: NodeFields): TreeNode {
    const node = this.#make(parent as MutableNode, slug, title, fields);
    (parent as MutableNode).append(node);
    return node;
  }

  #make(parent: MutableNode | undefined, slug: string, title: string, fields: NodeFields): MutableNode {
    const node = new MutableNode(this.#nodes.length as NodeId, parent, slug, title);
    if (parent) {
      node.depth = parent.depth + 1;
      node.cutOffBy = parent.cutOffBy + Number(parent.status === 'pruned');
    }
    node.set(fields);
    this.#nodes.push(node);
    this.#size++;
    this.#enter(node);
    return node;
  }

  #has(node: TreeNode): boolean {
    return this.#nodes[node.id] === node;
  }

  /** Updates all nodes below one that was pruned (`by` 1) or restored (-1). */
  #cutOffBelow(node: TreeNode, by: number): void {
    for (const each of walk(node) as Generator<MutableNode>) {
      if (each === node) continue;
      this.#count(each, -1);
      each.cutOffBy += by;
      this.#count(each, 1);
    }
  }

  /** Removes a node from among its siblings. */
  #detach(node: MutableNode): void {
    // Holders of the removed node compare it by its old place, with siblings that have moved up.
    if ((node.parent as MutableNode).takeOut(node)) this.#reorderings++;
  }

  #enter(node: MutableNode): void {
    this.links.add(node);
    if (node.parent) this.#count(node, 1);
  }

  #leave(node: MutableNode): void {
    this.links.delete(node);
    if (node.parent) this.#count(node, -1);
  }

  #count(node: MutableNode, by: 1 | -1): void {
    this.#counts[countedAs(node.status, node.cutOffBy > 0)] += by;
    if (node.listed) this.#finished += by;
    if (node.listed && node.leafReason === 'duplicate') this.#duplicates += by;
  }
}

/** Returns a node's path: the slugs from the first level down, joined by `/`; empty for the root. */
export function pathOf(node: TreeNode): string {
  let path = node.parent ? node.slug : '';
  for (let at = node.parent; at?.parent; at = at.parent) path = `${at.slug}/${path}`;
  return path;
}

/** Tells whether a node is the top of a branch, or below it. */
export function isBelow(node: TreeNode, top: TreeNode): boolean {
  for (let at: TreeNode | undefined = node; at; at = at.parent) if (at === top) return true;
  return false;
}

/** Returns the nodes from the first level down to this one; empty for the root. */
export function lineageOf(node: TreeNode): TreeNode[] {
  const line: TreeNode[] = [];
  for (let at: TreeNode | undefined = node; at?.parent; at = at.parent) line.push(at);
  return line.reverse();
}

/** Returns the child with a slug, if there is one. */
export function childOf(node: TreeNode, slug: string): TreeNode | undefined {
  return (node as MutableNode).child(slug);
}

/** Returns the node at a slug path, if there is one. */
export function nodeAt(tree: Tree, path: string): TreeNode | undefined {
  let node: TreeNode | undefined = tree.root;
  if (path === '') return node;
  for (const slug of path.split('/')) {
    node = childOf(node, slug);
    if (!node) return undefined;
  }
  return node;
}

/** Returns the node at a slug path, else the nearest one above it. */
export function nearestNode(tree: Tree, path: string): TreeNode {
  let node = tree.root;
  for (const slug of path.split('/')) {
    const next = childOf(node, slug);
    if (!next) return node;
    node = next;
  }
  return node;
}

/** A node and all below it, parents before children, in order; without recursion, since trees can be deep. */
export function* walk(from: TreeNode): Generator<TreeNode> {
  const stack: TreeNode[] = [from];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i] as TreeNode);
  }
}

/** Opens the nodes in progress again: nobody works on them any more. */
export function putToRest(tree: Tree): void {
  for (const node of walk(tree.root))
    if (node.file?.status === 'in-progress') tree.update(node, { file: { ...node.file, status: 'unexpanded' } });
}

/** Tells whether the node or one above it is pruned. */
export function isPruned(node: TreeNode): boolean {
  for (let at: TreeNode | undefined = node; at; at = at.parent) if (at.status === 'pruned') return true;
  return false;
}

/** Tells whether it has a solution that nobody pruned. */
export function isSolved(tree: Tree): boolean {
  for (const node of walk(tree.root)) if (node.leafReason === 'solved' && !isPruned(node)) return true;
  return false;
}

/** A link from one node to another; a missing target is shown as such and never guessed. */
interface ResolvedLink {
  readonly type: string;
  readonly from: TreeNode;
  readonly to: TreeNode | undefined;
  /** The target's id in node.json. */
  readonly id: string;
}

/** The nodes of a tree by the ids in their files, and the links between them, in both directions. */
class LinkIndex {
  readonly #nodes: () => Iterable<TreeNode>;
  /** Made on first use: most searches have no links, and nothing is moved. */
  #known: Map<string, TreeNode> | undefined;
  readonly #linkedTo = new Map<string, Set<TreeNode>>();

  /** @param nodes all nodes of the tree, in the order in which they were added */
  constructor(nodes: () => Iterable<TreeNode>) {
    this.#nodes = nodes;
  }

  /** Returns the node with an id; if two have it, the first one. */
  byId(id: string): TreeNode | undefined {
    return this.#byId.get(id);
  }

  /** Returns the links of a node, in the order of its file. */
  from(node: TreeNode): ResolvedLink[] {
    return node.links.map((link) => this.#resolve(node, link));
  }

  /** Returns the links that lead to a node. */
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

/**
 * The status that a node counts as. Only the top of a branch is recorded as pruned, but open nodes below it no longer
 * count as open: nobody will work on them. Finished nodes stay finished.
 * @param isCutOff whether a node above it is pruned
 */
export function countedAs(status: NodeStatus, isCutOff: boolean): NodeStatus {
  return isCutOff && (status === 'unexpanded' || status === 'in-progress') ? 'pruned' : status;
}

/** Orders two nodes by position in the tree, parents before children. */
export function byPosition(a: TreeNode, b: TreeNode): number {
  if (a === b) return 0;
  let [left, right] = [a, b];
  while (left.depth > right.depth) left = left.parent as TreeNode;
  while (right.depth > left.depth) right = right.parent as TreeNode;
  if (left === right) return a.depth - b.depth;
  while (left.parent !== right.parent) {
    left = left.parent as TreeNode;
    right = right.parent as TreeNode;
  }
  return left.index - right.index;
}

/** The fields of a node that say how good it is. */
interface Judged {
  readonly status: NodeStatus;
  readonly evaluation?: Pick<Evaluation, 'score'> | undefined;
}

/**
 * Returns the best of siblings, the first of equals; undefined if none has a score, or all that have one are pruned.
 */
export function bestOf<T extends Judged>(siblings: Iterable<T>): T | undefined {
  let best: T | undefined;
  for (const each of siblings) if (worth(each) > (best ? worth(best) : 0)) best = each;
  return best;
}

/** Returns the best of the first level, the best below it, and so on, as long as there are scores. */
function bestBelow<T extends Judged & { readonly children: readonly T[] }>(root: T): T[] {
  const path: T[] = [];
  for (let next = bestOf(root.children); next; next = bestOf(next.children)) path.push(next);
  return path;
}

/**
 * Returns the slug paths of the best path: those of the nodes that the search names itself and that are still there, else those
 * of the best scores.
 */
export function bestPathOf(tree: Tree, own: Iterable<string> = []): string[] {
  const named = [...own].filter((path) => nodeAt(tree, path));
  return named.length > 0 ? named : bestBelow(tree.root).map(pathOf);
}

function worth({ status, evaluation }: Judged): number {
  return status === 'pruned' ? 0 : (evaluation?.score ?? 0);
}

/** Returns the children of a node as its list has them. */
export function listOf({ children }: TreeNode): { title: string; slug: string }[] {
  return children.map(({ title, slug }) => ({ title, slug }));
}
