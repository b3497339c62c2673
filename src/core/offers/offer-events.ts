import * as z from 'zod';
import { Offer, OfferAnswers, OfferId } from './offer.ts';

/** The events of offers, for the union of all events. */
export const OFFER_EVENTS = [
  z.object({ type: z.literal('offer-made'), offer: Offer }),
  z.object({
    type: z.literal('offer-taken'),
    offer: OfferId,
    by: z.string(),
    /** Taken by a person, so that it does not expire. */
    person: z.boolean().optional(),
    /** When it becomes available to others again: ISO 8601 in UTC, counted from the taking. */
    expiresAt: z.string().optional(),
  }),
  z.object({ type: z.literal('offer-given-back'), offer: OfferId, by: z.string() }),
  /** Whoever took it let it expire. */
  z.object({ type: z.literal('offer-expired'), offer: OfferId }),
  /** The answers are no longer needed: a person pruned or removed what they were about. */
  z.object({ type: z.literal('offers-withdrawn'), offers: z.array(OfferId) }),
  /** Checked answers, kept before any file is written from them; all of them count, or none. */
  z.object({ type: z.literal('offers-answered'), answers: OfferAnswers, by: z.string() }),
  /** Those answers have been written to the files. */
  z.object({ type: z.literal('offers-applied'), offers: z.array(OfferId) }),
] as const;
