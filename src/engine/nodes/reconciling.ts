import type { Message } from '../../core/messages/message.ts';
import type { ReadStore, Store } from '../../core/ports/store.ts';
import type { SearchEvent } from '../../core/search/events.ts';
import { type NodeId, pathOf, type Tree, type TreeNode } from '../../core/tree/tree.ts';
import { childRemoved } from '../messages.ts';
import type { RecentWrites } from './recent-writes.ts';

export interface Reconciling {
  readonly tree: Tree;
  readonly store: ReadStore;
  /** True if a process is working on the search, so that nodes in progress stay so. */
  readonly live: boolean;
  /** Repairs what is wrong: only the holder of the lease may. */
  readonly repair?: Repair | undefined;
  /** The knowledge of the process that has the search open. */
  readonly open?: OpenNodes | undefined;
  /** Collects the nodes with a document. */
  readonly documents?: Set<TreeNode> | undefined;
  /** Collects the nodes with an unreadable file. */
  readonly damaged?: Set<TreeNode> | undefined;
  /** Called now and then while a whole tree is read. @param nodes how many were read so far */
  readonly onRead?: ((nodes: number) => void) | undefined;
}

export interface Repair {
  readonly store: Store;
  /** Makes the id of a node. */
  readonly newId: () => string;
}

/** The knowledge that a process which works on a search has of its nodes, and the news that it wants. */
export interface OpenNodes {
  /** Tells whether it works on a node now, so that its files are incomplete on purpose. */
  readonly isUnderWay: (node: TreeNode) => boolean;
  /** Which nodes' files it writes, or wrote. */
  readonly writes: Pick<RecentWrites, 'now' | 'touched'>;
  /**
   * Tells whether an unknown folder is a node that was elsewhere, which is then moved there, or has to wait.
   * @returns for a moved node, its previous path
   */
  readonly newcomer: (parent: TreeNode, slug: string) => Promise<{ from: string } | 'new' | 'later'>;
  /** Receives what is found, as it is applied to the tree. */
  readonly tell: (event: SearchEvent) => void;
  /** Keeps a removed branch, in case it comes back. */
  readonly keep: (branch: readonly TreeNode[]) => void;
}

/** The changes in memory that came from reading the disk. */
export interface Reconciled {
  /** Nodes added, changed or removed. */
  readonly changed: NodeId[];
  /** Children that were unknown before, to be read next. */
  readonly added: TreeNode[];
  /** In words, for the journal; empty if the disk had nothing new. */
  readonly what: Message[];
  /** True if files changed while they were read, so that the result is meaningless. */
  isStale: boolean;
}

/** Nothing changed so far. */
export function newChange(): Reconciled {
  return { changed: [], added: [], what: [], isStale: false };
}

/** Returns a check whether a node is still in its place, and nothing has been written to it since. */
export function freshness({ tree, open }: Reconciling, node: TreeNode): () => boolean {
  const path = pathOf(node);
  const since = open?.writes.now ?? 0;
  const isIdle = !open?.writes.touched(node, since);
  return () => {
    if (!open) return true;
    const isThere = tree.get(node.id) === node && pathOf(node) === path;
    return isThere && isIdle && !open.writes.touched(node, since);
  };
}

/** Removes a branch from the tree that no longer exists. */
export function remove(at: Reconciling, node: TreeNode, change: Reconciled): void {
  const path = pathOf(node);
  const branch = at.tree.remove(node);
  if (branch.length === 0) return; // another read was faster
  for (const { id } of branch) change.changed.push(id);
  change.what.push(childRemoved({ child: path }));
  at.open?.tell({ type: 'node-removed', node: path });
  at.open?.keep(branch);
}
