import { scrambled } from '../text/text.ts';
import type { FileLines } from './citation.ts';

/** A quotation in a document: code in a fence, word for word, or prose in a block quote. */
export interface Quotation {
  readonly kind: 'code' | 'prose';
  readonly text: string;
}

/** Lines of a file, from 1, inclusive. */
export type Span = Pick<FileLines, 'from' | 'to'>;

/** A text as words separated by single spaces, and where each of its lines begins in that. */
export interface Words {
  readonly text: string;
  /** Offsets into `text`, one per line, in order. */
  readonly lines: readonly number[];
}

/**
 * Normalizes a text for the comparison of quotations: Unicode NFC, no byte order mark; a line ends with CR, LF or both;
 * any run of white space, line ends included, is one space. Everything else is significant: case, punctuation,
 * invisible characters.
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
/** Of several places with the same words, the nearest is meant where it is at most so many lines away. */
const NEAR = 5;
/** The most characters that are compared for one quotation, so that no input makes it take long. */
const MOST_WORK = 20_000_000;
/** The length of the text that is searched for first, in characters: the quotation's longest word, or its beginning. */
const LONGEST_ANCHOR = 32;
const BEGINNING = 64;

/**
 * Finds a quotation in a file, word for word: a match begins and ends with a word of the file, so that no word is cut.
 * Words are separated by white space; prose may leave out punctuation around them.
 * @param named the lines where it is said to be
 * @returns a place within the named lines; if there is none, the only one, or the one beside the named lines
 */
export function findQuotation(file: Words, quotation: Quotation, named: Span): Span | undefined {
  const readings = readingsOf(quotation)
    .map((reading) => wordsOf(reading).text)
    .filter((words) => words !== '' && words.length <= LONGEST);
  const search = searchIn(file, quotation.kind);
  for (const words of readings) {
    const place = placeWithin(search, words, named);
    if (place) return place;
  }
  for (const words of readings) {
    const place = meantOf(everywhere(search, words), named, search);
    if (place) return place;
  }
  return undefined;
}

/**
 * Finds the one place that is meant: the only one, or the one that is nearest to the named lines and beside them. Undefined if
 * the file does not decide.
 */
function meantOf(places: Iterable<Span>, named: Span, { work }: Pick<Search, 'work'>): Span | undefined {
  let best: Span | undefined;
  let [least, next, count] = [Infinity, Infinity, 0];
  for (const place of places) {
    const distance = distanceOf(place, named);
    count++;
    if (distance < least) [best, next, least] = [place, least, distance];
    else next = Math.min(next, distance);
  }
  const isOnly = count === 1 && work.left > 0;
  return isOnly || (least <= NEAR && next > least) ? best : undefined;
}

function distanceOf(place: Span, named: Span): number {
  return place.from <= named.to && place.to >= named.from ? 0 : Math.abs(place.from - named.from);
}

/** Tells whether a quotation contains anything that could be searched for. */
export function saysSomething({ text }: Quotation): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Identifies a quotation's words in a document's front matter: 53 bits, no protection against forgery. */
export function fingerprintOf({ text }: Quotation): string {
  const [a, b] = scrambled(wordsOf(text).text);
  return (0x200000 * (b >>> 0) + (a >>> 11)).toString(16).padStart(14, '0').slice(-13);
}

/** Returns what a quotation may stand for: Markdown escapes are literal in code, and may be escapes in prose. */
function readingsOf({ kind, text }: Quotation): string[] {
  if (kind === 'code') return [text];
  const unescaped = text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
  const bare = /^\s*["“„«](.+)["”“»]\s*$/s.exec(unescaped)?.[1];
  return [...new Set([text, unescaped, ...(bare === undefined ? [] : [bare])])];
}

/** A search in one file, and how much more of it may be compared. */
interface Search {
  readonly file: Words;
  readonly kind: Quotation['kind'];
  readonly work: { left: number };
}

function searchIn(file: Words, kind: Quotation['kind']): Search {
  return { file, kind, work: { left: MOST_WORK } };
}

function placeWithin(search: Search, words: string, { from, to }: Span): Span | undefined {
  const { text, lines } = search.file;
  const begin = lines[from - 1];
  if (begin === undefined) return undefined;
  for (const at of occurrences(search, words, begin, lines[to] ?? text.length)) return spanOf(lines, at, words.length);
  return undefined;
}

function* everywhere(search: Search, words: string): Generator<Span> {
  const { text, lines } = search.file;
  for (const at of occurrences(search, words, 0, text.length)) yield spanOf(lines, at, words.length);
}

function spanOf(lines: readonly number[], at: number, length: number): Span {
  return { from: lineAt(lines, at), to: lineAt(lines, at + length - 1) };
}

/** The places in a part of a file that have these words as whole words. */
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

/** Returns the part of a quotation that is probably rarest in a file, judging by the quotation alone. */
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

// Marks that prose may leave out before and after it. Scripts without spaces begin and end sentences with these alone.
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

/** Tells whether no word continues here: `3` does not match in `3.5`, nor `don` in `don't`. */
function isEdge(next: string | undefined, unspaced: boolean): boolean {
  return next === undefined || next === ' ' || (unspaced && !/[\p{N}\p{M}a-z]/iu.test(next));
}

/** Returns the line, from 1, of an offset: the last one that begins at or before it, skipping empty ones. */
function lineAt(lines: readonly number[], offset: number): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** The line that says that lines of the file are left out. */
export const OMISSION = '…';

/** Where a quotation is that leaves something out. */
export interface Pieced extends Span {
  /** The lines of the quotation, from 0, above which others of the file are left out without a word. */
  readonly gaps: readonly number[];
}

/** The most lines that may be left out between two pieces: where a mark says so, and where nothing does. */
const MOST_SAID = 400;
const MOST_UNSAID = 12;
const MOST_PIECES = 400;
/** The longest line that may be such a mark, in characters. */
const LONGEST_MARK = 120;
/** The most places that are compared with each other. */
const MOST_PLACES = 200;
/** A quotation in pieces needs so many letters and digits, and one whose lines are looked for so many lines that have some. */
const LEAST_LETTERS = 10;
const LEAST_LINES = 2;

/** A line that is nothing but the mark of an omission, also as a comment, without white space around it. */
const OMISSION_LINE =
  /^(?:\/\/|#|--|;|%|\*|\/\*|<!--)? ?[[({]? ?(?:…|\.{3,6})(?: ?(?:[()[\]]|omitted|skipped|snip(?:ped)?|rest|of|the|more|unchanged|code|lines?|existing|etc|\d{1,5})){0,9} ?(?:…|\.{3,6})? ?[\])}]? ?(?:\*\/|-->)?$/i;
/** A mark of omission within a line; three full stops may be part of the language, unless they stand alone. */
const WITHIN = /\[(?:…|\.{3})\]|…|(?<=\s|^|[[({])\.{3}(?=\s|$|[\])}])/;

/** One or more lines of a quotation that belong together. */
interface Piece {
  readonly words: string;
  /** The line of the quotation where it begins. */
  readonly line: number;
  /** A mark above says that something is left out. */
  readonly isBehindMark: boolean;
}

/** Finds a quotation of which parts are left out, with a mark or without: its pieces in their order, close to each other. */
export function findPieces(file: Words, quotation: Quotation, named: Span): Pieced | undefined {
  if ((quotation.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < LEAST_LETTERS) return undefined;
  const search = searchIn(file, quotation.kind);
  const marked = piecesOf(quotation.text);
  const said = marked.some(({ isBehindMark }) => isBehindMark) ? placeOf(search, marked, named, false) : undefined;
  if (said || quotation.kind !== 'code') return said;
  const lines = linesOf(quotation.text);
  return lines.filter(({ words }) => /[\p{L}\p{N}]/u.test(words)).length < LEAST_LINES
    ? undefined
    : placeOf(search, lines, named, true);
}

/** Returns the words of a quotation without lines that are our own mark of an omission. */
export function withoutOmissions(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.trim() !== OMISSION)
    .join('\n');
}

/** Returns the text between the marks of omissions. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let isBehindMark = false;
  let open: { words: string[]; line: number } = { words: [], line: 0 };
  const end = (line: number): void => {
    const words = wordsOf(open.words.join('\n')).text;
    if (words !== '') pieces.push({ words, line: open.line, isBehindMark });
    open = { words: [], line };
    isBehindMark = true;
  };
  for (const [at, line] of text.split('\n').entries()) {
    if (isOmission(line)) {
      end(at + 1);
      continue;
    }
    const [first = '', ...more] = line.split(WITHIN);
    open.words.push(first);
    for (const part of more) {
      end(at);
      open.words.push(part);
    }
  }
  end(0);
  return pieces;
}

function isOmission(line: string): boolean {
  return OMISSION_LINE.test(line.trim().slice(0, LONGEST_MARK));
}

/** Returns each line by itself. */
function linesOf(text: string): Piece[] {
  let isBehindMark = false;
  return text.split('\n').flatMap((line, at) => {
    const isMark = isOmission(line);
    const words = isMark ? '' : wordsOf(line).text;
    const piece = { words, line: at, isBehindMark };
    if (words !== '' || isMark) isBehindMark = isMark;
    return words === '' ? [] : [piece];
  });
}

function placeOf(search: Search, pieces: readonly Piece[], named: Span, isWhole: boolean): Pieced | undefined {
  if (pieces.length === 0 || pieces.length > MOST_PIECES) return undefined;
  const found: Pieced[] = [];
  for (const place of places(search, pieces, isWhole)) {
    // A later beginning with the same end is closer together.
    while (found.at(-1)?.to === place.to) found.pop();
    found.push(place);
    if (found.length > MOST_PLACES) return undefined;
  }
  const within = found.find(({ from, to }) => from >= named.from && to <= named.to);
  return within ?? (meantOf(found, named, search) as Pieced | undefined);
}

/** All places where the pieces follow each other. */
function* places(search: Search, pieces: readonly Piece[], isWhole: boolean): Generator<Pieced> {
  const [first, ...rest] = pieces as [Piece, ...Piece[]];
  const { lines, text } = search.file;
  for (const at of occurrences(search, first.words, 0, text.length)) {
    if (isWhole && !isWholeLines(search.file, at, first.words.length)) continue;
    let end: number | undefined = at + first.words.length;
    const gaps: number[] = [];
    for (const piece of rest) {
      const next = nextOf(search, piece, end, isWhole);
      if (next !== undefined && next > end + 1 && !piece.isBehindMark) gaps.push(piece.line);
      end = next === undefined ? undefined : next + piece.words.length;
      if (end === undefined) break;
    }
    if (end !== undefined) yield { from: lineAt(lines, at), to: lineAt(lines, end - 1), gaps };
  }
}

/** Returns the first place of a piece behind an offset, within as many lines as may be left out. */
function nextOf(search: Search, { words, isBehindMark }: Piece, end: number, isWhole: boolean): number | undefined {
  const { lines, text } = search.file;
  const from = Math.min(end + 1, text.length);
  const last = lineAt(lines, end) + (isBehindMark ? MOST_SAID : MOST_UNSAID);
  const part = text.slice(from, lines[last + 1] ?? text.length);
  search.work.left -= part.length;
  if (search.work.left <= 0) return undefined;
  for (const at of occurrences({ ...search, file: { text: part, lines: [] } }, words, 0, part.length))
    if (!isWhole || isWholeLines(search.file, from + at, words.length)) return from + at;
  return undefined;
}

function isWholeLines({ lines, text }: Words, at: number, length: number): boolean {
  const end = at + length;
  const begins = lines[lineAt(lines, at) - 1] === at;
  return begins && (end >= text.length || lines[lineAt(lines, end + 1) - 1] === end + 1);
}
