import type { Size } from '../../../core/search/limits.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import type { ThoughtDefaults } from '../settings/options.ts';

/**
 * The kinds of move of a search for a solution: thoughts for the first level, for a node, and once more for one that has
 * some; a judgement of thoughts; and changes without a model: to keep some, to set some aside, to take up nodes that were
 * merged into one that is gone. Around whole solutions: a second judgement of one that was called so; the rest of another way in
 * one thought; two of them compared; one node for what several are combined to, and its text.
 */
export type ThoughtMove =
  | 'list-root'
  | 'expand'
  | 'try-again'
  | 'evaluate'
  | 'keep'
  | 'set-aside'
  | 'revive'
  | 'second-verdict'
  | 'complete-way'
  | 'compare-ends'
  | 'combine-ends'
  | 'write-combined';

/** A move before it has its number. */
export interface Plan {
  readonly kind: ThoughtMove;
  readonly nodes: readonly TreeNode[];
}

/** The settings that strategies follow; see the faces of these options. */
export interface ThoughtRules
  extends Pick<Required<ThoughtDefaults>, 'beam' | 'judge' | 'adaptive' | 'tries' | 'samples'> {
  readonly size: Size;
  /** Something other than a score decides what a solution is, so the end of a path alone is not one. */
  readonly hasGoalTest: boolean;
  /** Thoughts whose verified state is the same are merged. */
  readonly merges?: boolean;
  /** Tells whether a person wants a thought judged though the search has its solution. */
  readonly isWanted?: (node: TreeNode) => boolean;
  /** Returns the number of ends of paths after which nothing passed over is taken up any more; 1 by default. */
  readonly wantedEnds?: () => number;
  /** The threshold that a person set since the search began: they mean it. */
  readonly ownThreshold?: () => number | undefined;
  /** Tells whether one complete solution can be better than another, so that several are compared. */
  readonly isGraded?: () => boolean;
  /** The search already ended with a solution, so nothing that was left open is begun for it. */
  readonly isOver?: boolean;
}
