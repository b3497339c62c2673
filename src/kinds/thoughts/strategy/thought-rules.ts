import type { Size } from '../../../core/search/limits.ts';
import type { Tree, TreeNode } from '../../../core/tree/tree.ts';

/**
 * The kinds of move of a search for a solution: thoughts for the first level, for a node, and once more for one that has
 * some; a judgement of thoughts; and changes without a model: to keep some, to set some aside, to take up nodes that were
 * merged into one that is gone. Around whole solutions: a second judgement of one that was called so; the rest of another way in
 * one thought; two of them compared; one node for what several are combined to, and its text. And a person is asked whether to go on.
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
  | 'write-combined'
  | 'ask-person';

/** A move before it has its number. */
export interface Plan {
  readonly kind: ThoughtMove;
  readonly nodes: readonly TreeNode[];
}

/** Says about a strategy all that others have to know of it. */
export interface StrategyFacts {
  /** The number of times that a thought is continued by default. */
  readonly tries: number;
  /** Its name in the source. */
  readonly source: string;
  /** Returns the thoughts that it usually continues for each level of depth. */
  readonly perLevel: (beam: number) => number;
  /** A layer's thoughts are judged together, so that judgements follow from the beam. */
  readonly judgesLayers?: true;
  /** The samples of a judgement are spread over those that follow. */
  readonly spreadsSamples?: true;
  /** It asks one node for further thoughts several times at once, so that each round has a conversation of its own. */
  readonly asksSideBySide?: true;
  /** Its thoughts are whole solutions; one below another is that one written again, and makes the answer as it stands. */
  readonly writesDrafts?: true;
  /** It draws, by the seed of its search. */
  readonly draws?: true;
  /** Counts how often it left a path, if it follows a single one. */
  readonly backtracks?: (tree: Tree) => number;
}

/** An index beside the strategy's own that is kept up to date with it. */
export interface BesideStrategy {
  clear(): void;
  /** Updates a node that was added, removed or changed, or whose parent was. */
  look(node: TreeNode): void;
}

/** The settings that strategies follow; see the descriptors of these options. */
export interface ThoughtRules {
  readonly beam: number;
  readonly judge: 'layer' | 'parent';
  readonly beamFollowsScores: boolean;
  readonly tries: number;
  readonly samples: number;
  readonly size: Size;
  /** The seed of what it draws; 0 where the search has none. */
  readonly seed?: number | undefined;
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
  /** Tells whether it should stop for want of gain, so that nothing more is begun. */
  readonly hasStalled?: () => boolean;
  /** A person is asked then, where it would end. */
  readonly asksWhenStalled?: boolean;
  readonly beside?: BesideStrategy;
  /** The search already ended with a solution, so nothing that was left open is begun for it. */
  readonly isOver?: boolean;
}
