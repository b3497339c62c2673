import * as z from 'zod';

/** A number of tokens, as servers tell it. */
export const Tokens = z.int().nonnegative();

/** A number of tokens that some servers leave out or get wrong; zero then. */
export const SomeTokens = Tokens.nullish()
  .transform((tokens) => tokens ?? 0)
  .catch(0);
