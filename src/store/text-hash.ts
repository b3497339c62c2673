import { hash } from 'node:crypto';

/** The first 128 bits of the SHA-256 of a text as UTF-8, or of bytes, in hex: enough to tell texts apart. */
export function textHash(content: string | Uint8Array): string {
  return hash('sha256', content, 'buffer').toString('hex', 0, 16);
}
