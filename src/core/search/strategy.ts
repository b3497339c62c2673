import type { NodeId, Tree } from '../tree/tree.ts';
import type { Size } from './limits.ts';

/** One piece of work a strategy asks for; executors are found by `kind`. */
export interface Move {
  readonly id: string;
  readonly kind: string;
  readonly nodes: readonly NodeId[];
}

/** Why a strategy asks for nothing more: it went as far as it may, nothing is left, or what it looks for is found. */
export type SearchEnd = 'size' | 'complete' | 'solved';

/** What came of a move. `dropped`: it was not carried out, or its node is gone. */
export type MoveResult =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failed' }
  | { readonly outcome: 'dropped' }
  | { readonly outcome: 'ranked'; readonly ranking: readonly NodeId[] };

/**
 * Decides which node is worked on next; knows no model and no disk. Its index is derived from the tree: after any
 * sequence of calls it says the same as one built anew.
 */
export interface Strategy {
  /** Builds the index. `ranking` is the last one that a picker gave, as the journal tells. */
  open(tree: Tree, ranking?: readonly NodeId[]): void;
  /**
   * The moves to begin now: up to `room` that need a slot, and beside them what needs none.
   * @param room free slots, 0 or more
   */
  ask(room: number): Move[];
  /** Takes in what came of a move; telling it twice changes nothing. */
  tell(move: Move, result: MoveResult): void;
  /** Takes in that nodes were added, removed or changed by anything but a move's own result. */
  changed(nodes: Iterable<NodeId>): void;
  /** Has an open node worked on before all others, whatever the size; a later wish comes after an earlier one. */
  wish(node: NodeId): void;
  /** Takes in that the search may go so far from now on. */
  grow(size: Size): void;
  /** Whether nothing will be asked any more, and why. */
  readonly end: SearchEnd | undefined;
}
