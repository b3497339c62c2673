import * as z from 'zod';

const path = z.string().max(10_000);

/** What the panel asks of the extension. */
const ViewMessage = z.discriminatedUnion('type', [
  /** The page is there and shows nothing yet. */
  z.object({ type: z.literal('ready') }),
  /** A number was missing: everything is wanted again. */
  z.object({ type: z.literal('resync') }),
  /** Which node the inspector shows; null for none. */
  z.object({ type: z.literal('select'), path: path.nullable() }),
  /** Do something that was offered with a node; with the search as a whole where the path is empty. */
  z.object({ type: z.literal('act'), action: z.string().regex(/^[a-z][\w-]{0,59}$/i), path }),
  /** The exact words of one call. */
  z.object({ type: z.literal('exchange'), path, call: z.number().int().positive() }),
  /** A link in a node's document that leads to a file. */
  z.object({ type: z.literal('open-link'), path, href: z.string().max(4000) }),
  z.object({ type: z.literal('save-picture'), svg: z.string().max(50_000_000) }),
  /** The page failed and wants to be made anew; the search goes on. */
  z.object({ type: z.literal('reload') }),
  z.object({ type: z.literal('failed'), message: z.string().max(20_000) }),
]);
export type ViewMessage = z.infer<typeof ViewMessage>;

/** A message as it came over the border; undefined for what is none. */
export function readViewMessage(value: unknown): ViewMessage | undefined {
  const read = ViewMessage.safeParse(value);
  return read.success ? read.data : undefined;
}
