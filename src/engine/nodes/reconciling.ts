import type { Message } from '../../core/messages/message.ts';
import type { ReadStore, Store } from '../../core/ports/store.ts';
import type { SearchEvent } from '../../core/search/events.ts';
import { type NodeId, pathOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import { childRemoved } from '../messages.ts';

/** What reconciling works on. */
export interface Reconciling {
  readonly tree: Tree;
  readonly store: ReadStore;
  /** Whether a process is at work on the search, so that what is in progress stays so. */
  readonly live: boolean;
  /** What puts right what is found wrong: only the holder of the lease may. */
  readonly repair?: Repair | undefined;
  /** What the process knows that has the search open. */
  readonly open?: OpenNodes | undefined;
  /** Gathers the nodes that have a document. */
  readonly documents?: Set<TreeNode> | undefined;
  /** Gathers the nodes whose file could not be read. */
  readonly damaged?: Set<TreeNode> | undefined;
}

export interface Repair {
  readonly store: Store;
  /** Makes the id of a node. */
  readonly newId: () => string;
}

/** What a process that works on a search knows of its nodes, and wants to hear. */
export interface OpenNodes {
  /** Whether it works at a node now, so that its files are half made on purpose. */
  readonly isUnderWay: (node: TreeNode) => boolean;
  /** How often it has written a node's files; undefined while it does. */
  readonly writes: (node: TreeNode) => number | undefined;
  /**
   * Whether a folder that nobody knows is a node that was elsewhere, which it then moves there, or is to wait.
   * @returns for a node that came, its address before
   */
  readonly newcomer: (parent: TreeNode, slug: string) => Promise<{ from: string } | 'new' | 'later'>;
  /** Hears what is found, as it goes into the tree. */
  readonly tell: (event: SearchEvent) => void;
  /** Keeps a branch that was removed, should it come back. */
  readonly keep: (branch: readonly TreeNode[]) => void;
}

/** What a look at the disk changed in memory. */
export interface Reconciled {
  /** Nodes added, changed or removed. */
  readonly changed: NodeId[];
  /** Children that were not known before, to be looked at next. */
  readonly added: TreeNode[];
  /** In words, for the journal; empty where the disk said nothing new. */
  readonly what: Message[];
  /** Whether files changed while they were read, so that what was read says nothing. */
  isStale: boolean;
}

/** Nothing changed so far. */
export function newChange(): Reconciled {
  return { changed: [], added: [], what: [], isStale: false };
}

/** Tells whether a node is where it was, and nothing was written of it since. */
export function freshness({ tree, open }: Reconciling, node: TreeNode): () => boolean {
  const path = pathOf(node);
  const writes = open?.writes(node);
  return () => {
    if (!open) return true;
    const isThere = tree.get(node.id) === node && pathOf(node) === path;
    return isThere && writes !== undefined && open.writes(node) === writes;
  };
}

/** Takes a branch out of the tree that is not there any more. */
export function remove(at: Reconciling, node: TreeNode, change: Reconciled): void {
  const path = pathOf(node);
  const branch = at.tree.remove(node);
  if (branch.length === 0) return; // another look was faster
  for (const { id } of branch) change.changed.push(id);
  change.what.push(childRemoved({ child: path }));
  at.open?.tell({ type: 'node-removed', node: path });
  at.open?.keep(branch);
}
