import * as z from 'zod';

const rate = z.number().nonnegative().max(1_000_000);

/** A price given by a person, in US dollars per million tokens. */
export const GivenPrice = z.object({ prompt: rate, cached: rate, completion: rate });

const KnownRates = GivenPrice.extend({ cacheWrite: rate.optional() });

/** A price from a table, or one that a search used: `long` is for prompts of more tokens than `above`. */
export const KnownPrice = KnownRates.extend({
  long: KnownRates.extend({ above: z.number().int().positive() }).optional(),
});
