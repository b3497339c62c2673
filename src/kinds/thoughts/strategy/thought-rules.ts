import type { Size } from '../../../core/search/limits.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import type { ThoughtDefaults } from '../settings/options.ts';

/**
 * The kinds of move of a search for a solution: thoughts for the first level, for a node, and once more for one that has
 * some; a judgement of thoughts; and changes without a model: to keep some, to set some aside, to take up nodes that were
 * merged into one that is gone.
 */
export type ThoughtMove = 'list-root' | 'expand' | 'try-again' | 'evaluate' | 'keep' | 'set-aside' | 'revive';

/** A move before it has its number. */
export interface Plan {
  readonly kind: ThoughtMove;
  readonly nodes: readonly TreeNode[];
}

/** The settings that strategies follow; see the faces of these options. */
export interface ThoughtRules
  extends Pick<Required<ThoughtDefaults>, 'beam' | 'judge' | 'adaptive' | 'tries' | 'samples'> {
  readonly size: Size;
  /** Whether something other than a score decides what a solution is, so that the end of a path alone is not one. */
  readonly hasGoalTest: boolean;
  /** Whether thoughts whose verified state is the same are merged. */
  readonly merges?: boolean;
  /** Whether a person wants a thought judged though the search has its solution. */
  readonly isWanted?: (node: TreeNode) => boolean;
  /** Whether the search already ended with a solution, so that nothing that was left open is begun for it. */
  readonly isOver?: boolean;
}
