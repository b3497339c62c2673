import type { Offer, OfferAnswer } from '../../../src/core/offers/offer.ts';
import type { Search } from '../../../src/engine/search.ts';

export interface Answered {
  readonly offers: readonly string[];
  readonly value: unknown;
}

/** Answers offers of a search in this process. */
export async function answer(search: Search, answers: readonly OfferAnswer[], by: string): Promise<Answered> {
  return (await search.act({ action: 'answer', answers }, by)).value as Answered;
}

export async function take(
  search: Search,
  offer: string,
  by: string,
  person = false,
): Promise<{ offer: Offer; expiresAt?: string }> {
  const call = { action: 'take', offer, ...(person && { person }) };
  return (await search.act(call, by)).value as { offer: Offer; expiresAt?: string };
}

export async function giveBack(search: Search, offer: string, by: string): Promise<void> {
  await search.act({ action: 'give-back', offer }, by);
}
