import type { Fold, JournalEvent, SearchEvent } from '../search/events.ts';
import type { NodeData } from './node-file.ts';
import { nameOf, parentPath } from './slug.ts';
import { childOf, isBelow, nodeAt, pathOf, Tree, type TreeNode, walk } from './tree.ts';
import { type NodePatch, patched, splitPatch } from './tree-node.ts';

type Event<T extends SearchEvent['type']> = Extract<SearchEvent, { type: T }>;

/** A node according to the journal, and the number of the one above it; those above come first, the root is number 0. */
export interface ToldNode {
  readonly above: number;
  readonly slug: string;
  /** Undefined for the root. */
  readonly file: NodeData | undefined;
  readonly listed: boolean;
  readonly document: string | undefined;
}

/** The facts that a record knows besides its nodes. */
export interface ToldChanges {
  /** The numbers of those that are no longer among the children of the node above them. */
  readonly cutOff: readonly number[];
  /** The removed nodes by id or last path. */
  readonly removed: readonly (readonly [key: string, node: number])[];
}

/** All that a record knows. */
export interface ToldTree extends ToldChanges {
  readonly nodes: readonly ToldNode[];
}

/**
 * The tree according to the journal, after any number of its events. What a journal lacks, as changes by hand while nobody
 * had the search open, is added on the next opening.
 */
export class TreeRecord implements Fold {
  readonly tree: Tree;
  /** The removed nodes, by id or else by last path: a branch that is being moved is missing for a while. */
  readonly #removed = new Map<string, TreeNode>();

  constructor(title = '') {
    this.tree = new Tree(title);
  }

  get state(): ToldTree {
    const order = [...walk(this.tree.root)];
    const numbers = new Map(order.map((node, number) => [node, number]));
    const enter = (node: TreeNode): void => {
      if (node.parent && !numbers.has(node)) enter(node.parent);
      if (numbers.has(node)) return;
      numbers.set(node, order.push(node) - 1);
      for (const child of node.children) enter(child);
    };
    for (const node of this.#removed.values()) enter(node);
    const cutOff = order.flatMap((node, number) => (isCutOff(node) ? [number] : []));
    return {
      nodes: order.map(({ parent, slug, file, listed, document }) => {
        const above = parent ? (numbers.get(parent) as number) : -1;
        return { above, slug, file, listed, document };
      }),
      cutOff,
      removed: Array.from(this.#removed, ([key, node]) => [key, numbers.get(node) as number]),
    };
  }

  /**
   * Makes a new one know what another did.
   * @param nodes each of them once: as many as the tree has, so that they are better not in memory together
   */
  async restore({ cutOff, removed }: ToldChanges, nodes: AsyncIterable<ToldNode> | Iterable<ToldNode>): Promise<void> {
    const made: TreeNode[] = [this.tree.root];
    for await (const { above, slug, file, listed, document } of nodes) {
      if (above >= 0)
        made.push(this.tree.add(made[above] as TreeNode, slug, { file: file as NodeData, listed, document }));
      else if (listed) this.tree.update(this.tree.root, { listed });
    }
    // The lowest first, so that each is cut off from the branch that it was in.
    for (const number of cutOff.toReversed()) this.tree.remove(made[number] as TreeNode);
    for (const [key, number] of removed) this.#removed.set(key, made[number] as TreeNode);
  }

  /** Returns the node with an id, even if it was removed: it may come back elsewhere. */
  find(id: string): TreeNode | undefined {
    return this.tree.links.byId(id) ?? this.#removed.get(id);
  }

  /** Applies one event, in the order of the journal; those that are not about nodes change nothing. */
  apply(event: SearchEvent | JournalEvent): void {
    if (event.type === 'node-added') this.#add(event);
    else if (event.type === 'node-status') this.#change(event);
    else if (event.type === 'node-removed') this.#remove(event);
    else if (event.type === 'node-moved') this.#move(event);
    else if (event.type === 'node-order') this.tree.reorder(this.#at(event.node), event.order);
  }

  #add({ node: path, children }: Event<'node-added'>): void {
    const parent = this.#at(path);
    for (const { slug, title, score, at, document, ...fields } of children) {
      const { set } = splitPatch(fields as NodePatch);
      const evaluation = set.evaluation ?? (score === undefined ? undefined : { score });
      const file = { ...set, status: set.status ?? 'unexpanded', ...(evaluation && { evaluation }), title };
      const standing = childOf(parent, slug);
      if (standing) this.#takeOut(standing);
      const node = this.tree.add(parent, slug, { file, listed: isListed(file), document });
      if (at !== undefined) place(this.tree, node, at);
    }
    if (!parent.parent && !parent.listed) this.tree.update(parent, { listed: true });
  }

  #change({ type: _type, node: path, was: _was, gone = [], by: _by, document, ...event }: Event<'node-status'>): void {
    const node = this.#at(path);
    if (!node.parent) return;
    const { seq: _seq, time: _time, ...set } = event as typeof event & Partial<JournalEvent>;
    const file = patched(node.file ?? { title: node.title, status: node.status }, {
      set: set as Partial<NodeData>,
      gone,
    });
    this.tree.update(node, {
      file,
      listed: file.status === 'pruned' ? node.listed : isListed(file),
      document: document ?? (gone.includes('document') ? undefined : node.document),
    });
  }

  #remove({ node: path }: Event<'node-removed'>): void {
    const node = path === '' ? undefined : nodeAt(this.tree, path);
    if (node) this.#takeOut(node);
  }

  #takeOut(node: TreeNode): void {
    for (const each of this.tree.remove(node)) this.#removed.set(each.fileId ?? pathOf(each), each);
  }

  #move({ node: path, from, id, at }: Event<'node-moved'>): void {
    const node = (id === undefined ? undefined : this.find(id)) ?? this.#at(from);
    const parent = this.#at(parentPath(path));
    if (!node.parent || isBelow(parent, node)) return;
    const there = childOf(parent, nameOf(path));
    if (there && there !== node) this.#takeOut(there);
    this.#removed.delete(id ?? from);
    this.tree.move(node, parent, nameOf(path));
    if (at !== undefined) place(this.tree, node, at);
  }

  /** Returns the node at a path; one that the journal never named, as its lines were lost, is assumed to exist. */
  #at(path: string): TreeNode {
    let node = this.tree.root;
    for (const slug of path === '' ? [] : path.split('/'))
      node = childOf(node, slug) ?? this.tree.add(node, slug, { title: slug });
    return node;
  }
}

function isCutOff(node: TreeNode): boolean {
  return node.parent !== undefined && node.parent.children[node.index] !== node;
}

function isListed({ status }: NodeData): boolean {
  return status === 'expanded' || status === 'leaf';
}

/** Moves the last child of a node to its place among its siblings. */
function place(tree: Tree, node: TreeNode, at: number): void {
  if (at >= node.index) return;
  const slugs = (node.parent as TreeNode).children.map(({ slug }) => slug).filter((slug) => slug !== node.slug);
  tree.reorder(node.parent as TreeNode, slugs.toSpliced(at, 0, node.slug));
}

/** Returns a child as in the event that adds it: with the full content of its file. */
export function toldChild(node: TreeNode): Extract<SearchEvent, { type: 'node-added' }>['children'][number] {
  const { slug, title, file, index: at, document, evaluation } = node;
  return {
    ...file,
    title: file?.title ?? title,
    slug,
    at,
    ...(evaluation && { score: evaluation.score }),
    ...(document !== undefined && { document }),
  };
}
