import * as z from 'zod';
import { UsageRecord } from './events.ts';

/** A hash of a text: the first 128 bits of its SHA-256, in hex. */
const hash = z.string().regex(/^[\da-f]{32}$/);

/** The call that a node's findings came from. A claim: it counts where this user's journal tells the same. */
export const EngineReceipt = z.object({
  by: z.literal('engine'),
  call: z.string().max(100),
  model: z.string().max(300),
  /** Of the question, without the system text, and of the answer. */
  prompt: hash,
  answer: hash,
  usage: UsageRecord.optional(),
});
export type EngineReceipt = z.infer<typeof EngineReceipt>;

/** The origin of a node: the engine, an agent whose session file was found, or nobody knows. */
export type Receipt =
  | EngineReceipt
  | { readonly by: 'agent'; readonly agent: string }
  | { readonly by: 'unverified'; readonly agent?: string | undefined };

/** The number of nodes of each origin. */
export type ReceiptCounts = Readonly<Record<Receipt['by'], number>>;

/** Counts receipts; undefined if there are none. */
export function countReceipts(receipts: readonly Receipt[]): ReceiptCounts | undefined {
  if (receipts.length === 0) return undefined;
  const counts = { engine: 0, agent: 0, unverified: 0 };
  for (const { by } of receipts) counts[by]++;
  return counts;
}
