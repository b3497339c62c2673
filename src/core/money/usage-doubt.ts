import * as z from 'zod';

/**
 * A reason to doubt what a model's server says an answer used: it tells nothing that can be right (`nothing`), has read
 * fewer tokens than it was sent (`prompt`), leaves out its reasoning (`reasoning`), its sums do not add up (`sums`), it
 * answers at greater length than it was asked to (`length`) or without end (`endless`), it says a cost below the
 * model's price (`cost`), or none where nobody knows the price, so that a limit of money cannot hold (`unpriced`).
 */
export const UsageDoubt = z.enum(['nothing', 'prompt', 'reasoning', 'sums', 'length', 'endless', 'cost', 'unpriced']);
export type UsageDoubt = z.infer<typeof UsageDoubt>;
/** Those that are its server's fault. */
export type ServerDoubt = Exclude<UsageDoubt, 'unpriced'>;

/** The most bytes of text that a token stands for on average: an answer of more is longer than it was allowed to be. */
export const MOST_BYTES_A_TOKEN = 12;
/** The bytes that a token of text stands for, where nobody says how many there were. */
export const BYTES_A_TOKEN = 4;
