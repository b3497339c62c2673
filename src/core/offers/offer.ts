import * as z from 'zod';

/** Maximum length of an offer's question as JSON, in characters. */
const LONGEST_ASK = 50_000;
/** Maximum length of an answer as JSON, in characters: all findings of a round may be in one. */
const LONGEST_RESULT = 1_000_000;
/** Offers that one answer settles, at most. */
const MOST_ANSWERS = 200;
/** The longest that an offer may be kept after taking it: a week, in milliseconds. */
const LONGEST_TAKE_MS = 7 * 24 * 60 * 60 * 1000;

/** The name of an offer, made by us. */
export const OfferId = z.string().regex(/^[\w-]{1,100}$/);

/** Plain data that fits into so many characters as JSON. */
function data(longest: number): z.ZodType<unknown> {
  return z.json().refine((value) => JSON.stringify(value).length <= longest, `more than ${longest} characters`);
}

/** The question of an offer, and its time: a kind's description of a move that somebody outside may take. */
export const OfferDraft = z.object({
  /** Everything needed to answer it, in the terms of its kind. */
  ask: data(LONGEST_ASK),
  /** The time for which whoever takes it may keep it, in milliseconds; by default until they give it back. */
  expiresMs: z.number().int().positive().max(LONGEST_TAKE_MS).optional(),
});
export type OfferDraft = z.infer<typeof OfferDraft>;

/** A move that somebody outside this process may take and answer: an agent, a person, a worker. */
export const Offer = OfferDraft.extend({
  /** Made once and journaled, so that it is the same for every process. */
  id: OfferId,
  /** The kind of its move. */
  kind: z.string().max(60),
  /** The slug paths of the nodes that it concerns. */
  nodes: z.array(z.string().max(1000)).max(1000),
});
export type Offer = z.infer<typeof Offer>;

/** An answer from outside. */
export const OfferAnswer = z.object({ offer: OfferId, result: data(LONGEST_RESULT) });
export type OfferAnswer = z.infer<typeof OfferAnswer>;

/** Answers that are accepted together or not at all. */
export const OfferAnswers = z
  .array(OfferAnswer)
  .min(1)
  .max(MOST_ANSWERS)
  .refine((answers) => new Set(answers.map(({ offer }) => offer)).size === answers.length, 'an offer answered twice');

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
