import type { SpendFloor } from '../core/money/ledger.ts';
import type { Guards, Limits } from '../core/search/limits.ts';

/**
 * This user's earlier use of this search, from their own state folder. The search's folder may have come from anywhere:
 * where the two differ, its journal can only make us more careful.
 */
export interface OwnUse {
  /** True if this user opened the search here before: if not, its journal is history, and decides nothing. */
  readonly isKnown: boolean;
  /** The limits that this user last gave it. */
  readonly limits?: Limits | undefined;
  /** The guards of searches for which this user gave none. */
  readonly guards?: Guards | undefined;
  /** The least that it is known to have spent. */
  readonly spend?: SpendFloor | undefined;
  /** Tells whether the beginning of its requests, as its journal has it, was written by a program of this user. */
  readonly isOwnSystemText?: ((text: string) => boolean) | undefined;
}
