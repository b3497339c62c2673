import { readBounded } from './read-bounded.ts';

/**
 * The bytes of a plain file, in UTF-8 where it says at its start that it is in UTF-16: some editors of Windows write so.
 * As `readBounded` otherwise.
 */
export function readTextBytes(file: string, most: number, into?: Buffer): Buffer | undefined {
  const bytes = readBounded(file, most, into);
  const text = bytes && utf16(bytes);
  return text === undefined ? bytes : Buffer.from(text);
}

/** The text of bytes that begin with the mark of UTF-16, without it; undefined for all others. */
export function utf16(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  return first === 0xfe && second === 0xff ? new TextDecoder('utf-16be').decode(bytes) : undefined;
}
