import type { ActionCall } from '../../../src/core/actions/action-call.ts';
import type { Offer } from '../../../src/core/offers/offer.ts';

/** How whoever does errands reaches a search: in its own process, or in another one. */
export interface Hands {
  /** The offers to be answered next, once there are any; none when the search is finished. */
  readonly next: () => Promise<readonly Offer[]>;
  /** Carries out an action on the search; resolves with its result as data. */
  readonly act: (call: ActionCall) => Promise<unknown>;
}

/** What is done about each errand: those that are named here consist of others. */
const CONSISTS_OF: Readonly<Record<string, readonly (string | { title: string; after: string[] })[]>> = {
  'Pack boxes': ['Books', 'Kitchen', { title: '衣服', after: ['Books', 'Kitchen'] }],
  Kitchen: ['Plates', 'Plates'],
};
const FIRST = ['Rent a van', 'Pack boxes', 'Drive'];

/** Answers one offer. */
export function resultFor({ kind, ask }: Pick<Offer, 'kind' | 'ask'>): unknown {
  if (kind === 'propose') return { errands: FIRST };
  const { errand } = ask as { errand: string };
  const parts = CONSISTS_OF[errand];
  return parts ? { errands: parts } : { done: `${errand} is done.` };
}

/** Does all errands of a search, as many at once as are offered; returns how many answers it gave. */
export async function runErrands({ next, act }: Hands): Promise<number> {
  let given = 0;
  for (let offers = await next(); offers.length > 0; offers = await next()) {
    const answers = offers.map((offer) => ({ offer: offer.id, result: resultFor(offer) }));
    await act({ action: 'answer', answers });
    given += offers.length;
  }
  return given;
}
