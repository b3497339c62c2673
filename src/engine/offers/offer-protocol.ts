import type { Offer, OfferDraft } from '../../core/offers/offer.ts';
import type { Verdict } from '../../core/offers/verdict.ts';
import type { Move } from '../../core/search/strategy.ts';
import type { TreeNode } from '../../core/tree/tree.ts';

/** Carries out the moves of one kind by offering them: they take no slot, and end when somebody outside has answered. */
export interface OfferingExecutor {
  /** Says what is asked of whoever takes the move. Its nodes were looked at just before, and none of them is pruned. */
  readonly offer: (move: Move, signal: AbortSignal) => OfferDraft | Promise<OfferDraft>;
}

/** An answer to an offer, and the nodes that the offer is about, in its order. */
export interface AnsweredOffer {
  readonly offer: Offer;
  readonly nodes: readonly TreeNode[];
  readonly result: unknown;
}

/** What a kind does with the answers to its offers. Nothing else happens to the tree between the two. */
export interface OfferProtocol {
  /**
   * Checks answers as a whole: all of them are taken, or none. What it gives back for each is kept in the journal and
   * handed to `apply`, so it settles whatever depends on how the tree is now, such as the slugs of new nodes.
   */
  check(answers: readonly AnsweredOffer[]): Verdict | Promise<Verdict>;
  /**
   * Makes nodes and files from answers that are kept, through the search's `nodes` (without `commit`, as it has the tree to
   * itself). A process that dies in it is followed by one that does it again, with the same answers: the second time
   * changes what is missing and nothing else.
   * @param by who answered
   * @returns what the one who answered is told, as plain data
   */
  apply(answers: readonly AnsweredOffer[], by: string): Promise<unknown>;
}
