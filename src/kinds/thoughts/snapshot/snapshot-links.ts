import type { Message } from '../../../core/messages/message.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import * as say from '../messages.ts';
import type { SnapshotNode } from './snapshot-format.ts';

/** The shape of a tree according to a snapshot, checked: every node is below the root, once. */
export interface SnapshotLinks {
  readonly root: string;
  /** The children of each node that has some, in order. */
  readonly children: ReadonlyMap<string, readonly string[]>;
}

type Nodes = ReadonlyMap<string, SnapshotNode>;

/**
 * Finds the parent of each node: the one it names; if it names none, the one that lists it. Children are in the order of
 * the parent's list, followed by missing ones.
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
      if (lister !== undefined) throw wrong(say.rootListed({ node: shown(lister), root: shown(root) }));
      continue;
    }
    const parent = parent_id ?? lister;
    if (parent === undefined) throw wrong(say.noParent({ node: shown(id), root: shown(root) }));
    if (!nodes.has(parent)) throw wrong(say.unknownParent({ node: shown(id), parent: shown(parent) }));
    if (lister !== undefined && lister !== parent)
      throw wrong(say.otherParent({ node: shown(id), parent: shown(parent), lister: shown(lister) }));
    if (lister === undefined) children.get(parent)?.push(id);
  }
  checkReached(nodes, root, children);
  return { root, children };
}

function findRoot(nodes: Nodes, named: string | null | undefined): string {
  if (named !== null && named !== undefined) {
    const root = nodes.get(named);
    if (!root) throw wrong(say.unknownRoot({ root: shown(named) }));
    if (root.parent_id !== null && root.parent_id !== undefined)
      throw wrong(say.rootWithParent({ root: shown(named), parent: shown(root.parent_id) }));
    return named;
  }
  const listed = lists(nodes);
  const found = [...nodes].filter(([id, node]) => (node.parent_id ?? listed.get(id)) === undefined).map(([id]) => id);
  const [root, second] = found;
  if (root === undefined) throw wrong(say.noRoot());
  if (second !== undefined) throw wrong(say.twoRoots({ root: shown(root), second: shown(second) }));
  return root;
}

/** Who lists a node. */
function lists(nodes: Nodes): Map<string, string> {
  const listedBy = new Map<string, string>();
  for (const [id, { children_ids }] of nodes)
    for (const child of children_ids ?? []) {
      const before = listedBy.get(child);
      if (!nodes.has(child)) throw wrong(say.unknownChild({ node: shown(id), child: shown(child) }));
      if (before === id) throw wrong(say.childTwice({ node: shown(id), child: shown(child) }));
      if (before !== undefined)
        throw wrong(say.childOfTwo({ first: shown(before), second: shown(id), child: shown(child) }));
      listedBy.set(child, id);
    }
  return listedBy;
}

/** All parents exist, so anything not reached from the root is in a cycle, or below one. */
function checkReached(nodes: Nodes, root: string, children: ReadonlyMap<string, readonly string[]>): void {
  const reached = new Set([root]);
  for (const id of reached) for (const child of children.get(id) ?? []) reached.add(child);
  const lost = [...nodes.keys()].find((id) => !reached.has(id));
  if (lost === undefined) return;
  const parents = new Map([...children].flatMap(([id, below]) => below.map((child) => [child, id] as const)));
  const seen = new Set<string>();
  let at = lost;
  for (; !seen.has(at); at = parents.get(at) as string) seen.add(at);
  throw wrong(say.belowItself({ node: shown(at) }));
}

/** A node's id in messages. */
export function shown(id: string): string {
  return `"${oneLine(id, 80)}"`;
}

/** @param why a clause without a full stop */
export function wrong(why: Message): ThoughtTreeError {
  return new ThoughtTreeError('damaged', say.notATree({ why }));
}
