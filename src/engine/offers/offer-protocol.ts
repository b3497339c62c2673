import type { Move } from '../../core/kind/strategy.ts';
import type { Offer, OfferDraft } from '../../core/offers/offer.ts';
import type { Verdict } from '../../core/offers/verdict.ts';
import type { TreeNode } from '../../core/tree/tree.ts';

/** Carries out the moves of one kind by offering them: they need no slot, and end when somebody outside has answered. */
export interface OfferingExecutor {
  /** Describes the move for whoever takes it. Its nodes were checked just before, and none of them is pruned. */
  readonly offer: (move: Move, signal: AbortSignal) => OfferDraft | Promise<OfferDraft>;
}

/** An answer to an offer, and the nodes that the offer is about, in its order. */
export interface AnsweredOffer {
  readonly offer: Offer;
  readonly nodes: readonly TreeNode[];
  readonly result: unknown;
}

/** The handling by a kind of answers to its offers. Nothing else happens to the tree between the two. */
export interface OfferProtocol {
  /**
   * Checks answers as a whole: all of them are accepted, or none. Its result for each is kept in the journal and passed to
   * `apply`, so it has to settle whatever depends on the current tree, such as the slugs of new nodes.
   */
  check(answers: readonly AnsweredOffer[]): Verdict | Promise<Verdict>;
  /**
   * Creates nodes and files from kept answers, through the search's `nodes` (without `commit`, as it has the tree to
   * itself). If the process dies meanwhile, the next one repeats it with the same answers: it must add what is missing and
   * change nothing else.
   * @param by who answered
   * @returns the reply to whoever answered, as plain data
   */
  apply(answers: readonly AnsweredOffer[], by: string): Promise<unknown>;
}
