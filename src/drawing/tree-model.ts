import type { GraphNode } from '../protocol/graph-node.ts';
import type { ChangeMessage, SnapshotMessage } from '../protocol/host-message.ts';

/** One node in the panel. Changed by the model only. */
export interface ViewNode {
  readonly path: string;
  readonly parent: ViewNode | undefined;
  readonly data: GraphNode;
  /** In order. */
  readonly children: readonly ViewNode[];
  /** The root's is 0. */
  readonly depth: number;
}

type Changing = { -readonly [K in keyof ViewNode]: ViewNode[K] } & {
  parent: Changing | undefined;
  children: Changing[];
};

/** The tree according to the messages: after any changes the same as from a fresh snapshot. */
export class TreeModel {
  readonly #nodes = new Map<string, Changing>();
  readonly #unsorted = new Set<Changing>();
  #shape = 0;

  get root(): ViewNode | undefined {
    return this.#nodes.get('');
  }

  /** Number of nodes, the root not counted. */
  get size(): number {
    return Math.max(0, this.#nodes.size - 1);
  }

  /** Changes with all that a first look depends on: which nodes there are, their scores, and what is pruned. */
  get shape(): number {
    return this.#shape;
  }

  get(path: string): ViewNode | undefined {
    return this.#nodes.get(path);
  }

  nodes(): Iterable<ViewNode> {
    return this.#nodes.values();
  }

  reset({ nodes }: Pick<SnapshotMessage, 'nodes'>): void {
    this.#nodes.clear();
    this.#shape++;
    for (const node of nodes) this.#put(node);
    this.#sort();
  }

  apply({ upserts, removals }: Pick<ChangeMessage, 'upserts' | 'removals'>): void {
    for (const path of removals) this.#remove(path);
    for (const node of upserts) this.#put(node);
    this.#sort();
  }

  #put(data: GraphNode): void {
    const known = this.#nodes.get(data.path);
    if (known) {
      if (known.parent && known.data.index !== data.index) this.#unsorted.add(known.parent);
      if (looksOtherwise(known.data, data)) this.#shape++;
      known.data = data;
      return;
    }
    const parent = data.path === '' ? undefined : this.#nodes.get(parentPath(data.path));
    if (data.path !== '' && !parent) return; // its parent is gone, and so is the node
    const node: Changing = { path: data.path, parent, data, children: [], depth: parent ? parent.depth + 1 : 0 };
    this.#nodes.set(data.path, node);
    this.#shape++;
    if (!parent) return;
    parent.children.push(node);
    this.#unsorted.add(parent);
  }

  #remove(path: string): void {
    const node = this.#nodes.get(path);
    if (!node) return;
    this.#shape++;
    if (node.parent) node.parent.children.splice(node.parent.children.indexOf(node), 1);
    for (const each of branch(node)) this.#nodes.delete(each.path);
  }

  #sort(): void {
    for (const { children } of this.#unsorted) children.sort(bySiblingOrder);
    this.#unsorted.clear();
  }
}

function looksOtherwise(before: GraphNode, now: GraphNode): boolean {
  return before.score !== now.score || (before.status === 'pruned') !== (now.status === 'pruned');
}

function bySiblingOrder(a: ViewNode, b: ViewNode): number {
  return a.data.index - b.data.index || (a.path < b.path ? -1 : 1);
}

/** Returns the path of a node's parent; of the first level, the root's. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A node and all below it, parents first, in order; without recursion, since trees can be deep. */
export function* branch(from: ViewNode): Generator<ViewNode> {
  const stack = [from];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i] as ViewNode);
  }
}

/** The nodes above a node, the root last. */
export function* above(node: ViewNode): Generator<ViewNode> {
  for (let at = node.parent; at; at = at.parent) yield at;
}

/** Tells whether the node or one above it is pruned. */
export function isCutOff(node: ViewNode): boolean {
  for (let at: ViewNode | undefined = node; at; at = at.parent) if (at.data.status === 'pruned') return true;
  return false;
}
