import * as z from 'zod';

const Turn = z.object({ role: z.enum(['user', 'assistant']), text: z.string() });

/**
 * The request and the answer of one call that is in no conversation: picks, the report's opening, wrong answers and
 * corrected ones.
 */
export const RecordedCall = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  system: z.string(),
  turns: z.array(Turn),
  prompt: z.string(),
  answer: z.string(),
});
export type RecordedCall = z.infer<typeof RecordedCall>;
