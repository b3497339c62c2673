import { isUtf8 } from 'node:buffer';
import { lstatSync } from 'node:fs';
import { isNotebook, notebookText } from './notebook-text.ts';
import { readBounded } from './read-bounded.ts';
import { LARGEST_SOURCE } from './source-file.ts';

/** Why a file has no text to be read. */
export type NoText = 'too-large' | 'not-text';

/** With its pictures, which are no text. */
const LARGEST_NOTEBOOK = 10 * LARGEST_SOURCE;
/** The text that Git LFS leaves in the place of a file. */
const POINTER = 'version https://git-lfs.github.com/spec/';
const LONGEST_POINTER = 1024;

/**
 * Reads the text of a plain file, in UTF-8: for index, tools and citations alike. Of a notebook, it is what its cells say.
 * @param into as for `readBounded`
 * @throws the system's error for a file that is gone or not readable
 */
export function readTextBytes(file: string, into?: Buffer): Buffer | NoText {
  const hasCells = isNotebook(file);
  const bytes = readBounded(file, hasCells ? LARGEST_NOTEBOOK : LARGEST_SOURCE, into);
  if (!bytes) return lstatSync(file).isFile() ? 'too-large' : 'not-text';
  const decoded = inOtherEncoding(bytes);
  const cells = hasCells ? notebookText(splitLines(decoded ?? bytes.toString('utf8')).join('\n')) : undefined;
  const own = cells ?? decoded;
  const text = own === undefined ? bytes : Buffer.from(own);
  if (text.length > LARGEST_SOURCE) return 'too-large';
  return text.includes(0) || isPointer(text) ? 'not-text' : text;
}

/** Reads a text file as a string, without a byte order mark. */
export function readText(file: string): { readonly text: string } | { readonly unreadable: NoText } {
  const bytes = readTextBytes(file);
  return typeof bytes === 'string' ? { unreadable: bytes } : { text: bytes.toString('utf8').replace(/^\uFEFF/, '') };
}

/** Lines as editors count them: without a byte order mark; a carriage return ends one too. */
export function splitLines(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
}

function isPointer(text: Buffer): boolean {
  return text.length <= LONGEST_POINTER && text.toString('latin1').startsWith(POINTER);
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

/** Characters that no text has. */
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
