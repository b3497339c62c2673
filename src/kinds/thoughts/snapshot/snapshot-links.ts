import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import type { SnapshotNode } from './snapshot-format.ts';

/** The shape of a tree as a snapshot says it, checked: every node hangs below the root, once. */
export interface SnapshotLinks {
  readonly root: string;
  /** The children of each node that has some, in order. */
  readonly children: ReadonlyMap<string, readonly string[]>;
}

type Nodes = ReadonlyMap<string, SnapshotNode>;

/**
 * Finds out what hangs below what. A node's parent is the one it names; where it names none, the one that lists it.
 * Children come in the order of the parent's list, those it forgot behind them.
 * @throws ThoughtTreeError `damaged` naming the node that does not fit
 */
export function linksOf(nodes: Nodes, rootId: string | null | undefined): SnapshotLinks {
  const root = findRoot(nodes, rootId);
  const listedBy = lists(nodes);
  const children = new Map<string, string[]>();
  for (const [id, { children_ids }] of nodes) children.set(id, [...(children_ids ?? [])]);
  for (const [id, { parent_id }] of nodes) {
    const lister = listedBy.get(id);
    if (id === root) {
      if (lister !== undefined) throw wrong(`${shown(lister)} lists the root ${shown(root)} among its children`);
      continue;
    }
    const parent = parent_id ?? lister;
    if (parent === undefined) throw wrong(`${shown(id)} has no parent, and is not the root (${shown(root)})`);
    if (!nodes.has(parent)) throw wrong(`the parent of ${shown(id)}, ${shown(parent)}, is not among the nodes`);
    if (lister !== undefined && lister !== parent)
      throw wrong(`${shown(id)} says that its parent is ${shown(parent)}, but ${shown(lister)} lists it`);
    if (lister === undefined) children.get(parent)?.push(id);
  }
  checkReached(nodes, root, children);
  return { root, children };
}

function findRoot(nodes: Nodes, named: string | null | undefined): string {
  if (named !== null && named !== undefined) {
    const root = nodes.get(named);
    if (!root) throw wrong(`the root ${shown(named)} is not among the nodes`);
    if (root.parent_id !== null && root.parent_id !== undefined)
      throw wrong(`the root ${shown(named)} has a parent, ${shown(root.parent_id)}`);
    return named;
  }
  const listed = lists(nodes);
  const found = [...nodes].filter(([id, node]) => (node.parent_id ?? listed.get(id)) === undefined).map(([id]) => id);
  const [root, second] = found;
  if (root === undefined) throw wrong('no node is the root: each one has a parent');
  if (second !== undefined) throw wrong(`both ${shown(root)} and ${shown(second)} have no parent; name one as root_id`);
  return root;
}

/** Who lists a node. */
function lists(nodes: Nodes): Map<string, string> {
  const listedBy = new Map<string, string>();
  for (const [id, { children_ids }] of nodes)
    for (const child of children_ids ?? []) {
      const before = listedBy.get(child);
      if (!nodes.has(child)) throw wrong(`${shown(id)} lists ${shown(child)}, which is not among the nodes`);
      if (before === id) throw wrong(`${shown(id)} lists ${shown(child)} twice`);
      if (before !== undefined) throw wrong(`both ${shown(before)} and ${shown(id)} list ${shown(child)}`);
      listedBy.set(child, id);
    }
  return listedBy;
}

/** All parents are there, so what is not reached from the root hangs in a circle, or below one. */
function checkReached(nodes: Nodes, root: string, children: ReadonlyMap<string, readonly string[]>): void {
  const reached = new Set([root]);
  for (const id of reached) for (const child of children.get(id) ?? []) reached.add(child);
  const lost = [...nodes.keys()].find((id) => !reached.has(id));
  if (lost === undefined) return;
  const parents = new Map([...children].flatMap(([id, below]) => below.map((child) => [child, id] as const)));
  const seen = new Set<string>();
  let at = lost;
  for (; !seen.has(at); at = parents.get(at) as string) seen.add(at);
  throw wrong(`${shown(at)} stands below itself`);
}

function shown(id: string): string {
  return `"${oneLine(id, 80)}"`;
}

/** @param what a sentence without its end */
export function wrong(what: string): ThoughtTreeError {
  return new ThoughtTreeError('damaged', `This is no tree of thoughts: ${what}.`);
}
