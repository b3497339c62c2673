import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import * as z from 'zod';
import { BETWEEN, LARGEST_SOURCE } from './source-file.ts';

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

const Notebook = z.looseObject({ cells: z.array(z.unknown()) });
/** The lines are looked at up to the first that is none: a file of others can have a million things wrong. */
const isLines = (value: unknown): boolean => Array.isArray(value) && value.every((line) => typeof line === 'string');
const Cell = z.looseObject({ cell_type: z.string(), source: z.union([z.string(), z.custom<string[]>(isLines)]) });

const FENCE = '```';

/** Tells by its name whether a file is a notebook. */
export function isNotebook(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/** An object or a list that is open where a text is being read. */
interface Open {
  /** The name of what is read of it; empty in a list. */
  key: string;
  isKeyNext: boolean;
  readonly isList: boolean;
  /** The number of those in it that were read before. */
  count: number;
}

/**
 * The text of a notebook: what is written in its cells, each line on the one of the file that holds it, so that who looks a
 * citation up finds it there. Code is in fences; outputs, pictures and settings are empty lines. Undefined if it is no
 * notebook.
 * @param json its lines end with `\n`
 */
export function notebookText(json: string): string | undefined {
  const cells = cellsOf(json);
  if (!cells) return undefined;
  const lines: string[] = [''];
  const open: Open[] = [];
  let isFenced = false;
  for (let at = 0; at < json.length; at++) {
    const inner = open.at(-1);
    switch (json.charAt(at)) {
      case '\n':
        lines.push('');
        break;
      case '{':
        open.push({ key: '', isKeyNext: true, isList: false, count: 0 });
        break;
      case '[':
        // Nothing else is on this line, nor on the one where the list ends.
        isFenced = isSource(open) && cells[open[1]?.count ?? 0]?.cell_type === 'code' && json[at + 1] === '\n';
        if (isFenced) write(lines, FENCE);
        open.push({ key: '', isKeyNext: false, isList: true, count: 0 });
        break;
      case '}':
      case ']':
        open.pop();
        if (isFenced) write(lines, FENCE);
        isFenced = false;
        break;
      case ',':
        if (inner) Object.assign(inner, { isKeyNext: !inner.isList, count: inner.count + 1 });
        break;
      case '"': {
        const end = endOfString(json, at);
        if (inner?.isKeyNext) Object.assign(inner, { key: JSON.parse(json.slice(at, end)), isKeyNext: false });
        else if (isSource(open)) write(lines, JSON.parse(json.slice(at, end)));
        at = end - 1;
        break;
      }
    }
  }
  return lines.join('\n');
}

function cellsOf(json: string): readonly z.infer<typeof Cell>[] | undefined {
  try {
    return Notebook.parse(JSON.parse(json)).cells.map((cell) => Cell.parse(cell));
  } catch {
    return undefined;
  }
}

/** Tells whether the source of a cell, or a line of it, is read next. */
function isSource(open: readonly Open[]): boolean {
  // What is open may be millions deep, and is asked about at each step down.
  if (open.length < 3 || open.length > 4) return false;
  const [root, cells, cell, lines] = open;
  return root?.key === 'cells' && cells?.isList === true && cell?.key === 'source' && !lines?.key;
}

function write(lines: string[], said: string): void {
  const own = said
    .replace(/\r?\n$/, '')
    .split(/\r\n|\n|\r/)
    .join(BETWEEN);
  const before = lines.at(-1);
  lines[lines.length - 1] = before === '' ? own : `${before}${BETWEEN}${own}`;
}

/** @param start where it begins, with its quote; @returns where what follows it begins */
function endOfString(json: string, start: number): number {
  let end = start;
  let escapes: number;
  do {
    end = json.indexOf('"', end + 1);
    for (escapes = 0; json[end - 1 - escapes] === '\\'; ) escapes++;
  } while (escapes % 2 === 1);
  return end + 1;
}

/**
 * The bytes of a plain file; undefined for anything else (a link, a folder, a device, a pipe), and for a file of more
 * than `most` bytes. The file may be replaced while it is opened: links are not followed, and a pipe does not block.
 * @param into where the bytes are put if they fit, for callers that read many files one after the other
 * @throws the system's error for a file that is gone or not readable
 */
export function readBounded(file: string, most: number, into?: Buffer): Buffer | undefined {
  const found = lstatSync(file);
  if (!found.isFile() || found.size > most) return undefined;
  const opened = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile() || stats.size > most) return undefined;
    // One byte more than its reported size: it may be growing.
    const bytes = into && into.length > stats.size ? into.subarray(0, stats.size + 1) : Buffer.alloc(stats.size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(opened, bytes, length, bytes.length - length, null);
    return length > most ? undefined : bytes.subarray(0, length);
  } finally {
    closeSync(opened);
  }
}
