import type { ChunkedFile, Piece } from '../../src/text/chunk/chunk-file.ts';
import { MARKUP, wordsOf } from './sentences.ts';

/** Rows of a file, from 0, inclusive. */
export interface Rows {
  readonly from: number;
  readonly to: number;
}

const COMMENT_LINE =
  /^\s*(?:\/\*|\*|\/\/|#(?!\s*(?:include|define|if|ifdef|ifndef|endif|else|elif|pragma|undef)\b|\[))/;
/** The longest comment that is taken out as a copy. */
const MAX_COPY = 80;
/** So many words in a row are a copy, even if it is shorter than the sentence. */
const COPY_WORDS = 10;
/** Longer lines are those of bundles: only the words go. */
const MAX_LINE = 300;

/** Returns the comment above a piece of code, or its docstring. */
export function commentOf(
  lines: readonly string[],
  piece: Piece,
  { silent }: ChunkedFile,
  path: string,
): Rows | undefined {
  if (/\.pyi?$/.test(path)) return docstringOf(lines, piece);
  let to = piece.start;
  while (to < piece.head && silent.isComment(to)) to++;
  if (to > piece.start) return { from: piece.start, to: to - 1 };
  let last = piece.start - 1;
  // Rust has attributes in between; some leave a line empty.
  while (/^\s*#!?\[/.test(lines[last] ?? '')) last--;
  const isApart = lines[last]?.trim() === '';
  if (isApart) last--;
  let from = last + 1;
  while (silent.isComment(from - 1)) from--;
  return from > last || (isApart && !/^\s*\/\*\*/.test(lines[from] ?? '')) ? undefined : { from, to: last };
}

/** Python has it inside, after the last line of the signature. */
function docstringOf(lines: readonly string[], { head, end }: Piece): Rows | undefined {
  let from = head;
  while (from < Math.min(head + 20, end) && !/:\s*(?:#.*)?$/.test(lines[from] ?? '')) from++;
  from++;
  const [, mark] = /^\s*[rbu]{0,2}("""|''')/i.exec(lines[from] ?? '') ?? [];
  if (mark === undefined) return undefined;
  const first = (lines[from] ?? '').trim().replace(/^[rbu]{0,2}("""|''')/i, '');
  if (first.includes(mark)) return { from, to: from };
  for (let to = from + 1; to <= end; to++) if (lines[to]?.includes(mark)) return { from, to };
  return undefined;
}

/** The places of every word of a file, to find sentences in. */
export class WordPlaces {
  readonly #words: string[] = [];
  readonly #rows: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #byWord = new Map<string, number[]>();

  constructor(lines: readonly string[]) {
    lines.forEach((line, row) => {
      for (const match of line.matchAll(/[a-z0-9]+/gi)) {
        const word = match[0].toLowerCase();
        if (MARKUP.has(word)) continue;
        const at = this.#byWord.get(word);
        if (at) at.push(this.#words.length);
        else this.#byWord.set(word, [this.#words.length]);
        this.#words.push(word);
        this.#rows.push(row);
        this.#starts.push(match.index);
        this.#ends.push(match.index + word.length);
      }
    });
  }

  /** Returns where a sentence's words stand in a row. */
  copiesOf(sentence: string): { from: number; start: number; to: number; end: number }[] {
    const words = wordsOf(sentence).slice(0, COPY_WORDS);
    const places = this.#byWord.get(words[0] ?? '') ?? [];
    return places
      .filter((at) => words.every((word, next) => this.#words[at + next] === word))
      .map((at) => {
        const last = at + words.length - 1;
        const place = (numbers: readonly number[], which: number): number => numbers[which] ?? 0;
        const to = place(this.#rows, last);
        return { from: place(this.#rows, at), start: place(this.#starts, at), to, end: place(this.#ends, last) };
      });
  }
}

/** Takes every copy of a sentence out of a file. */
export function removeCopies(lines: string[], places: WordPlaces, sentence: string): void {
  for (const { from, start, to, end } of places.copiesOf(sentence)) {
    if (lines[from] === GONE || lines[to] === GONE) continue;
    if (isComment(lines, from) && (lines[from]?.length ?? 0) <= MAX_LINE) {
      removeComment(lines, wholeComment(lines, from, to));
      continue;
    }
    const [first = '', last = ''] = [lines[from], lines[to]];
    for (let row = from; row <= to; row++) lines[row] = '';
    lines[from] = first.slice(0, start);
    // The columns of a line stay, for copies further along it.
    lines[to] += ' '.repeat(end - (lines[to]?.length ?? 0)) + last.slice(end);
  }
}

/** In place of a line that is taken out: until a file is written, all others keep their numbers. */
export const GONE = '\0';

/** Takes the lines of a comment out. */
export function removeComment(lines: string[], { from, to }: Rows): void {
  const last = lines[to] ?? '';
  const close = last.indexOf('*/');
  for (let row = from; row <= to; row++) lines[row] = GONE;
  // A declaration may follow on the same line.
  const after = close < 0 ? '' : last.slice(close + 2).trimEnd();
  if (after !== '') lines[to] = after;
}

/** Returns the comment that has some rows, as its marks tell. */
function wholeComment(lines: readonly string[], from: number, to: number): Rows {
  const opens = (row: number): boolean => /^\s*\/\*/.test(lines[row] ?? '');
  let first = from;
  while (first > 0 && from - first < MAX_COPY && !opens(first) && isComment(lines, first - 1)) first--;
  let last = to;
  const goesOn = (): boolean =>
    opens(first)
      ? !lines[last]?.includes('*/') && last + 1 < lines.length
      : isComment(lines, last + 1) && !opens(last + 1);
  while (last - to < MAX_COPY && goesOn()) last++;
  return { from: first, to: last };
}

function isComment(lines: readonly string[], row: number): boolean {
  return COMMENT_LINE.test(lines[row] ?? '');
}
