import * as z from 'zod';

const count = z.number().int().nonnegative();

/** Where the words of a call are kept: an answer in a conversation, with the question in the turn before it. */
export const KeptWords = z.object({
  conversation: z.string(),
  /** The answer's turn, from 0. */
  turn: count,
  /** The turns that were sent before the prompt: the first ones of these conversations, in order, and their number. */
  after: z.array(z.object({ conversation: z.string(), turns: count })).optional(),
});
export type KeptWords = z.infer<typeof KeptWords>;
