import * as z from 'zod';

/** A number of tokens, as reported by servers. */
export const Tokens = z.int().nonnegative();

/** A number of tokens that some servers omit or get wrong, which then counts as zero. */
export const SomeTokens = Tokens.nullish()
  .transform((tokens) => tokens ?? 0)
  .catch(0);
