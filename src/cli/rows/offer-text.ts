import type { Offer } from '../../core/offers/offer.ts';
import { oneLine } from '../../core/text/text.ts';

/** An offer in a line: its name, what kind of work it is, and at which nodes. */
export function offerText({ id, kind, nodes }: Offer): string {
  return oneLine([id, kind, ...nodes].join('  '), 300);
}
