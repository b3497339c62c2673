import type { Results } from '../core/search/events.ts';
import type { Fold } from '../core/search/record/fold.ts';
import type { Strategy } from '../core/search/strategy.ts';
import type { Decomposition } from '../core/search/thought-messages.ts';
import type { NodeFields, TreeNode } from '../core/tree/tree.ts';
import type { Executor } from './dispatcher.ts';
import type { SearchContext } from './search-context.ts';

/** What makes the searches of one kind what they are; everything else of the engine holds for all of them. */
export interface Kind {
  /** Who carries out the moves of its strategies. */
  readonly executors: Readonly<Record<string, Executor>>;
  /** The one system text of a search; research's unless given. */
  readonly system?: (question: string) => string;
  /** Whether its model has to write words of its own, so that one that only quotes cannot serve. */
  readonly needsProse?: boolean;
  /** What it works out from the journal besides what all kinds do: parts of the search's record. */
  readonly folds?: () => readonly Fold[];
  /**
   * The strategy that a search of this kind follows, not opened yet.
   * @param concurrency number of slots
   * @throws ThoughtTreeError `bad-input` where search.json names none that there is
   */
  makeStrategy(ctx: SearchContext, concurrency: number): Strategy;
  /** Takes up what an earlier run left, once the tree is open. */
  takeUp?(ctx: SearchContext): Promise<void>;
  /** Writes report.md, with at most one call. */
  writeReport(ctx: SearchContext, results: Results): Promise<void>;
  /** The result of a search as a message for programs. */
  message?(ctx: SearchContext): Promise<object>;
  /**
   * What has to be known before the search begins, for a person to look at.
   * @param edit gives it back as it is to be
   */
  prepare?(ctx: SearchContext, edit: (plan: Decomposition) => Promise<Decomposition>): Promise<void>;
  /** What it has to say of a search's results beside what all kinds do. */
  results?(ctx: SearchContext): Partial<Results>;
  /** Fields of a node that a person restores, so that no strategy passes over it again. */
  restored?(node: TreeNode): NodeFields;
  /** What doing a node over means, where it is not writing its document anew; returns what to say of it. */
  redo?(ctx: SearchContext, node: TreeNode): Promise<string>;
  /** The slug of one more child that a person adds; made from its title unless given. */
  childSlug?(parent: TreeNode): string;
}
