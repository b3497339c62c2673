import { promisify } from 'node:util';
import { deflate, deflateSync, inflate, inflateSync } from 'node:zlib';
import * as z from 'zod';
import { ThoughtTreeError } from '../core/search/errors.ts';
import * as say from './messages.ts';

/** The most that a call or an answer may be, in bytes of JSON: before it is compressed, and again once it is not. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Deflate makes a text at most this much longer, and base64 a third. */
export const MOST_PACKED = 11 * 1024 * 1024;

/** Up to so many bytes, packed or not, a trip through the thread pool costs more than the work. */
const SMALL = 64 * 1024;
/** Less room for them: most are a few kilobytes, and getting it ready costs more than it saves. */
const FOR_SMALL = { windowBits: 13, memLevel: 6 };

const Packed = z.object({ packed: z.string().max(MOST_PACKED) });
const deflated = promisify(deflate);
const inflated = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);

/** Packed data, as the queue carries it. */
export type Packed = z.infer<typeof Packed>;

/** @throws ThoughtTreeError `bad-request` if it is too long for the queue */
export async function pack(value: unknown): Promise<Packed> {
  const text = Buffer.from(JSON.stringify(value), 'utf8');
  if (text.length > MOST_BYTES)
    throw new ThoughtTreeError('bad-request', say.tooLong({ most: MOST_BYTES }), { charged: false, isTooLong: true });
  const packed = text.length <= SMALL ? deflateSync(text, FOR_SMALL) : await deflated(text);
  return { packed: packed.toString('base64') };
}

/** Returns what somebody put into the queue; undefined if it lacks the schema's form, or is too long. */
export async function unpack<T>(schema: z.ZodType<T>, value: unknown): Promise<T | undefined> {
  try {
    const { packed } = Packed.parse(value);
    const text = await unpacked(Buffer.from(packed, 'base64'));
    return schema.parse(JSON.parse(text.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** Returns the packed length of something in the queue, in bytes; infinite if it was not packed so. */
export function packedLength(value: unknown): number {
  return Packed.safeParse(value).data?.packed.length ?? Number.POSITIVE_INFINITY;
}

async function unpacked(packed: Buffer): Promise<Buffer> {
  const within = { maxOutputLength: MOST_BYTES };
  if (packed.length > SMALL) return await inflated(packed, within);
  try {
    return inflateSync(packed, { maxOutputLength: SMALL });
  } catch {
    // Longer than that, or nothing of the kind.
    return await inflated(packed, within);
  }
}
