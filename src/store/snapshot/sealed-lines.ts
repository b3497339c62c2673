import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import type { ReadFiles } from '../files/files.ts';

/** The key with which this user's own programs seal what they derive from a search's files. */
export type SealKey = string;

const NEWLINE = 0x0a;
const CHUNK = 1024 * 1024;
/** The longest sealed file, in bytes: several times what a tree of 100,000 nodes needs. */
const LONGEST = 256 * CHUNK;
/** The last line, with its line break: a SHA-256 in hex. */
const SEAL_LENGTH = 65;

/** Lines with their seal, as a file's text. */
export function sealLines(lines: readonly string[], key: SealKey): string {
  const text = `${lines.join('\n')}\n`;
  return `${text}${hmacOf(key).update(text).digest('hex')}\n`;
}

/**
 * Reads a sealed file line by line, in small parts.
 * @param take gets each line, before it is known whether the seal fits them: false ends the reading
 * @returns whether every line was written by somebody who knows the key, and nothing was changed since
 */
export async function readSealed(
  files: ReadFiles,
  file: string,
  key: SealKey,
  take: (line: string) => boolean,
): Promise<boolean> {
  const found = await files.stat(file);
  if (found?.kind !== 'file' || found.size > LONGEST) return false;
  const end = found.size - SEAL_LENGTH;
  const hmac = hmacOf(key);
  let rest: Buffer = Buffer.alloc(0);
  for (let offset = 0; offset < end; ) {
    const bytes = Buffer.from(await files.readBytes(file, offset, Math.min(CHUNK, end - offset)));
    if (bytes.length === 0) return false;
    offset += bytes.length;
    hmac.update(bytes);
    const lines = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const last = lines.lastIndexOf(NEWLINE) + 1;
    rest = lines.subarray(last);
    if (!takeLines(lines.toString('utf8', 0, last), take)) return false;
  }
  const seal = Buffer.from(await files.readBytes(file, end, SEAL_LENGTH));
  const wanted = Buffer.from(`${hmac.digest('hex')}\n`);
  return rest.length === 0 && seal.length === wanted.length && timingSafeEqual(seal, wanted);
}

function takeLines(text: string, take: (line: string) => boolean): boolean {
  for (let begin = 0; begin < text.length; ) {
    const end = text.indexOf('\n', begin);
    if (!take(text.slice(begin, end))) return false;
    begin = end + 1;
  }
  return true;
}

function hmacOf(key: SealKey): Hmac {
  // The key has other uses: none of their proofs is a seal.
  return createHmac('sha256', key).update('thought-tree snapshot\n');
}
