import { isUtf8 } from 'node:buffer';
import { readBounded } from './read-bounded.ts';

/** The bytes of a plain file, in UTF-8 where it is text in another encoding. As `readBounded` otherwise. */
export function readTextBytes(file: string, most: number, into?: Buffer): Buffer | undefined {
  const bytes = readBounded(file, most, into);
  const text = bytes && inOtherEncoding(bytes);
  return text === undefined ? bytes : Buffer.from(text);
}

/**
 * The text of bytes that are not in UTF-8: in UTF-16, as some editors of Windows write, with its mark or without, or in the
 * old encoding of Western Europe. Undefined for UTF-8 and for what is no text.
 */
export function inOtherEncoding(bytes: Uint8Array): string | undefined {
  const order = orderOf(bytes);
  if (order) return new TextDecoder(order).decode(bytes);
  if (bytes.includes(0) || isUtf8(bytes) || isMostlyUtf8(bytes)) return undefined;
  const text = new TextDecoder('windows-1252').decode(bytes);
  return NO_TEXT.test(text) ? undefined : text;
}

/** One byte that somebody broke must not change all other letters. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const signs = new TextDecoder('utf-8').decode(bytes).match(/[^\0-\x7f]/gu) ?? [];
  return 2 * signs.filter((sign) => sign === '\uFFFD').length < signs.length;
}

/** What no text has. */
const NO_TEXT = /[\p{Cc}--[\t\n\r\f]]/v;
/** Bytes that are looked at, and the share of zeros among every other of them from which on it is UTF-16 with Western letters. */
const SAMPLE = 512;
const MOSTLY = 0.7;

function orderOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE);
  if (bytes.length % 2 > 0 || sample.length < 8 || !sample.includes(0)) return undefined;
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = (MOSTLY * sample.length) / 2;
  if (even > 0 && odd > 0) return undefined;
  return odd > most ? 'utf-16le' : even > most ? 'utf-16be' : undefined;
}
