import { scrambled } from '../text/digest.ts';
import type { FileLines } from './citation.ts';

/** A quotation as it stands in a document: code in a fence, word for word, or prose in a block quote. */
export interface Quotation {
  readonly kind: 'code' | 'prose';
  readonly text: string;
}

/** Lines of a file, from 1, inclusive. */
type Span = Pick<FileLines, 'from' | 'to'>;

/** A text as its words, one space between them, and where each of its lines begins in that. */
export interface Words {
  readonly text: string;
  /** Offsets into `text`, one a line, in order. */
  readonly lines: readonly number[];
}

/**
 * Takes a text apart by the rule that quotations are compared by: Unicode NFC, no byte order mark; a line ends with CR,
 * LF or both; any run of white space, line ends included, is one space. Everything else counts as it is: upper and lower
 * case, punctuation, invisible characters.
 */
export function wordsOf(text: string): Words {
  const lines: number[] = [];
  const words: string[] = [];
  let at = 0;
  for (const line of text
    .replace(/^\uFEFF/, '')
    .normalize('NFC')
    .split(/\r\n|\n|\r/)) {
    lines.push(at);
    for (const word of line.split(/\s+/)) {
      if (word === '') continue;
      words.push(word);
      at += word.length + 1;
    }
  }
  return { text: words.join(' '), lines };
}

/** The longest quotation that is looked for, in characters. */
const LONGEST = 20_000;
/** How much is compared for one quotation at most, in characters: no file and no quotation make it take long. */
const MOST_WORK = 20_000_000;
/** What a quotation is looked for by, in characters: its longest word, or the beginning of it. */
const LONGEST_ANCHOR = 32;
const BEGINNING = 64;

/**
 * Where a file has a quotation, word for word: a match begins and ends with a word of the file, so that no word is cut.
 * A word is what stands between white space; prose may leave out punctuation around it.
 * @param named where it is said to be
 * @returns a place within the lines that are named; where there is none, the one that begins nearest to them
 */
export function findQuotation(file: Words, quotation: Quotation, named: Span): Span | undefined {
  const readings = readingsOf(quotation)
    .map((reading) => wordsOf(reading).text)
    .filter((words) => words !== '' && words.length <= LONGEST);
  const search: Search = { file, kind: quotation.kind, work: { left: MOST_WORK } };
  for (const words of readings) {
    const place = placeWithin(search, words, named);
    if (place) return place;
  }
  for (const words of readings) {
    const place = placeNearest(search, words, named);
    if (place) return place;
  }
  return undefined;
}

/** Whether a quotation says anything that could be looked for. */
export function saysSomething({ text }: Quotation): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Stands for a quotation's words in a document's front matter: 53 bits, no proof against forgery. */
export function fingerprintOf({ text }: Quotation): string {
  const [a, b] = scrambled(wordsOf(text).text);
  return (0x200000 * (b >>> 0) + (a >>> 11)).toString(16).padStart(14, '0').slice(-13);
}

/** What a quotation may be in the file: Markdown's escapes are none in code, and may be some in prose. */
function readingsOf({ kind, text }: Quotation): string[] {
  if (kind === 'code') return [text];
  const unescaped = text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
  const bare = /^\s*["“„«](.+)["”“»]\s*$/s.exec(unescaped)?.[1];
  return [...new Set([text, unescaped, ...(bare === undefined ? [] : [bare])])];
}

interface Search {
  readonly file: Words;
  readonly kind: Quotation['kind'];
  readonly work: { left: number };
}

function placeWithin(search: Search, words: string, { from, to }: Span): Span | undefined {
  const { text, lines } = search.file;
  const begin = lines[from - 1];
  if (begin === undefined) return undefined;
  for (const at of occurrences(search, words, begin, lines[to] ?? text.length))
    return { from: lineAt(lines, at), to: lineAt(lines, at + words.length - 1) };
  return undefined;
}

function placeNearest(search: Search, words: string, { from }: Span): Span | undefined {
  const { text, lines } = search.file;
  const begin = lines[from - 1] ?? text.length;
  let nearest: number | undefined;
  for (const at of occurrences(search, words, 0, text.length)) {
    const isBelow = at >= begin;
    if (nearest === undefined || !isBelow) nearest = at;
    else if (lineAt(lines, at) - from < from - lineAt(lines, nearest)) nearest = at;
    if (isBelow) break; // further down is further away
  }
  if (nearest === undefined) return undefined;
  return { from: lineAt(lines, nearest), to: lineAt(lines, nearest + words.length - 1) };
}

/** Where a part of a file has these words, and cuts none. */
function* occurrences(search: Search, words: string, begin: number, end: number): Generator<number> {
  const { kind, work } = search;
  const { text } = search.file;
  const anchor = anchorOf(words);
  const beginning = words.slice(0, BEGINNING);
  for (let found = begin - 1; ; ) {
    found = text.indexOf(anchor.text, Math.max(found + 1, begin + anchor.at));
    const at = found - anchor.at;
    if (found < 0 || at + words.length > end || work.left <= 0) return;
    work.left -= BEGINNING;
    if (!text.startsWith(beginning, at)) continue;
    work.left -= words.length;
    if (text.startsWith(words, at) && beginsWord(text, at, kind) && endsWord(text, at + words.length, kind)) yield at;
  }
}

/** The part of a quotation that is rarest in a file, as far as that can be told from it alone. */
function anchorOf(words: string): { readonly text: string; readonly at: number } {
  let longest = '';
  let at = 0;
  let place = 0;
  for (const word of words.split(' ')) {
    if (word.length > longest.length) [longest, at] = [word, place];
    place += word.length + 1;
  }
  return { text: longest.slice(0, LONGEST_ANCHOR), at };
}

// What prose may leave out before and after it. Scripts without spaces end a sentence, and begin one, behind these alone.
const OPENS = /[\p{Ps}\p{Pi}"']/u;
const CLOSES = /[\p{Pe}\p{Pf}"'.,;:?!…]/u;
const ENDS_UNSPACED = /[。．！？；：，、]/u;

function beginsWord(text: string, at: number, kind: Quotation['kind']): boolean {
  let from = at - 1;
  let unspaced = false;
  if (kind === 'prose')
    for (; from >= 0 && (OPENS.test(text[from] as string) || ENDS_UNSPACED.test(text[from] as string)); from--)
      unspaced ||= ENDS_UNSPACED.test(text[from] as string);
  return isEdge(text[from], unspaced);
}

function endsWord(text: string, end: number, kind: Quotation['kind']): boolean {
  let to = end;
  let unspaced = kind === 'prose' && ENDS_UNSPACED.test(text[end - 1] as string);
  if (kind === 'prose')
    for (; to < text.length && (CLOSES.test(text[to] as string) || ENDS_UNSPACED.test(text[to] as string)); to++)
      unspaced ||= ENDS_UNSPACED.test(text[to] as string);
  return isEdge(text[to], unspaced);
}

/** Whether no word goes on here: `3` is none of `3.5`, and `don` none of `don't`. */
function isEdge(next: string | undefined, unspaced: boolean): boolean {
  return next === undefined || next === ' ' || (unspaced && !/[\p{N}\p{M}a-z]/iu.test(next));
}

/** The line, from 1, of an offset: the last one that begins there or before, past the empty ones. */
function lineAt(lines: readonly number[], offset: number): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
