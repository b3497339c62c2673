import type { Size } from '../search/limits.ts';
import type { Tree } from '../tree/tree.ts';
import type { NodeId } from '../tree/tree-node.ts';

/** One piece of work that a strategy asks for; executors are found by `kind`. */
export interface Move {
  readonly id: string;
  readonly kind: string;
  readonly nodes: readonly NodeId[];
}

/** Why a strategy asks for nothing more: its size is reached, nothing is left, or the solution is found. */
export type SearchEnd = 'size' | 'complete' | 'solved';

/** The result of a move. `dropped`: it was not carried out, or its node is gone. */
export type MoveResult =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failed' }
  /** Also where its nodes were released, so that it could not go on: that says nothing of the move. */
  | { readonly outcome: 'dropped'; readonly isReleased?: true }
  | { readonly outcome: 'ranked'; readonly ranking: readonly NodeId[] };

/**
 * Decides which node is worked on next; knows neither models nor the disk. Its index is derived from the tree: after any
 * sequence of calls it is the same as one built from scratch.
 */
export interface Strategy {
  /** Builds the index. `ranking` is the last one from a picker, according to the journal. */
  open(tree: Tree, ranking?: readonly NodeId[]): void;
  /**
   * The moves to begin now: up to `room` that need a slot, and any number that need none.
   * @param room free slots, 0 or more
   */
  ask(room: number): Move[];
  /** Applies the result of a move; repeating it changes nothing. */
  tell(move: Move, result: MoveResult): void;
  /** Updates nodes that were added, removed or changed by anything but a move's own result. */
  changed(nodes: Iterable<NodeId>): void;
  /** Puts an open node before all others, whatever the size; a later wish comes after an earlier one. */
  wish(node: NodeId): void;
  /** Sets how far the search may go from now on. */
  grow(size: Size): void;
  /** Set once nothing more will be asked: why. */
  readonly end: SearchEnd | undefined;
}
