import { createHash } from 'node:crypto';
import type { ReadFiles } from '../files/files.ts';
import { JOURNAL } from '../journal/journal-reader.ts';

const CHUNK = 256 * 1024;

/** The SHA-256 of the journal's first bytes, in hex; undefined if it has fewer. */
export async function journalDigest(files: ReadFiles, length: number): Promise<string | undefined> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(Math.min(CHUNK, length));
  for (let offset = 0; offset < length; ) {
    const bytes = await files.readBytes(JOURNAL, offset, Math.min(CHUNK, length - offset), buffer);
    if (bytes.length === 0) return undefined;
    hash.update(bytes);
    offset += bytes.length;
  }
  return hash.digest('hex');
}
