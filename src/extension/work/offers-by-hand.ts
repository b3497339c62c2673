import type { KindDescriptor } from '../../core/kind/kind-descriptor.ts';
import type { OpenOffer } from '../../core/offers/offer-book.ts';
import type { FollowedSearch } from '../library/followed-search.ts';

/** Who asks from this window, in journals. */
export const BY = 'vscode';

/** The state of an offer: a person can take it, or has taken it in an editor of theirs. */
export type HandState = 'open' | 'taken';

type Offering = Pick<FollowedSearch, 'record'>;

/** The first offer about a node that a person can take or has taken; undefined for kinds whose offers take no words. */
export function offerAt(
  { record }: Offering,
  descriptor: KindDescriptor | undefined,
  path: string,
  state?: HandState,
): OpenOffer | undefined {
  if (!descriptor?.work) return undefined;
  return record.offers.open.find(
    (open) => open.offer.nodes.includes(path) && (state === undefined ? stateOf(open) : stateOf(open) === state),
  );
}

/** Returns the offers of a search in a state, oldest first. */
export function offersIn(
  { record }: Offering,
  descriptor: KindDescriptor | undefined,
  state: HandState,
): readonly OpenOffer[] {
  return descriptor?.work ? record.offers.open.filter((open) => stateOf(open) === state) : [];
}

/** Undefined if somebody else has it. */
export function stateOf({ taking }: OpenOffer): HandState | undefined {
  if (!taking || (taking.expiresAt !== undefined && Date.now() >= taking.expiresAt)) return 'open';
  return taking.isPerson && taking.by === BY ? 'taken' : undefined;
}
