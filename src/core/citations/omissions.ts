import {
  lineAt,
  meantOf,
  occurrences,
  type Quotation,
  type Search,
  type Span,
  searchIn,
  type Words,
  wordsOf,
} from './quotation.ts';

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

/** The words of a quotation without lines that are our own mark of an omission. */
export function withoutOmissions(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.trim() !== OMISSION)
    .join('\n');
}

/** The text between the marks of omissions. */
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

/** Each line by itself. */
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

/** The first place of a piece behind an offset, within as many lines as may be left out. */
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
