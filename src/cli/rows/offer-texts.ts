import { type OpenOffer, takingAt } from '../../core/offers/offer-book.ts';
import { oneLine } from '../../core/text/text.ts';
import { labelled, type Row } from '../terminal/row.ts';
import { inWords } from '../terminal/translation.ts';
import { moreOffers, takenBy } from './messages.ts';

/** The most offers that are named. */
const MOST_OFFERS = 20;

/**
 * Offers, one per line: name, kind of work, nodes, and who works on it.
 * @param now milliseconds since 1970
 */
export function offerTexts(offers: readonly Shown[], now = 0): string[] {
  const texts = offers.slice(0, MOST_OFFERS).map((each) => offerText(each, now));
  const more = offers.length - texts.length;
  return more > 0 ? [...texts, inWords(moreOffers({ count: more }))] : texts;
}

/** An offer, and who works on it if known. */
type Shown = Pick<OpenOffer, 'offer'> & Partial<Pick<OpenOffer, 'taking'>>;

function offerText({ offer: { id, kind, nodes }, taking }: Shown, now: number): string {
  const taken = takingAt({ taking }, now);
  return oneLine([`${id}:`, kind, ...nodes, ...(taken ? [inWords(takenBy({ by: taken.by }))] : [])].join(' '), 300);
}

/** Tells the person who took an offer what it asks; none if a result is no offer. */
export function askRows(value: unknown): Row[] {
  const ask = (value as { readonly offer?: { readonly ask?: unknown } } | undefined)?.offer?.ask;
  if (typeof ask !== 'object' || ask === null || Array.isArray(ask)) return [];
  return Object.entries(ask).flatMap(([name, asked]) => {
    const text = typeof asked === 'string' ? asked : JSON.stringify(asked);
    return text === '' || text === '[]' ? [] : [labelled(`  ${oneLine(name, 30)}`, text)];
  });
}

/** An offer for programs. */
export function offerObject({ offer, taking }: OpenOffer, now: number): object {
  const taken = takingAt({ taking }, now);
  if (!taken) return offer;
  const { by, isPerson: person, expiresAt } = taken;
  const until = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() };
  return { ...offer, taken: { by, person, ...until } };
}
