import type { Outline } from '../files/languages.ts';
import type { Span } from '../secrets/spans.ts';

/** The kinds of marks in code: symbols, and the texts about them. */
const KINDS = [
  'comment',
  'string',
  'docstring',
  'import',
  'class',
  'function',
  'member',
  'constant',
  'type',
  'block',
  'rule',
] as const;
type MarkKind = (typeof KINDS)[number];

/**
 * A match of a grammar in a text, by offsets in UTF-16 units. There is nothing of the text itself in marks: they may be
 * kept where no text may be, and with the text they say as much as the grammar did.
 */
export interface Mark extends Span {
  readonly kind: MarkKind;
  readonly name?: Span | undefined;
  readonly owner?: Span | undefined;
  readonly title?: Span | undefined;
}

/** The descriptions of a mark, each with a bit of its own beside the number of the kind. */
const HELPERS = [
  ['name', 0x10],
  ['owner', 0x20],
  ['title', 0x40],
] as const;
const KIND = 0x0f;

const NUMBERS = new Map<string, number>(KINDS.map((kind, number) => [kind, number]));

/** Symbols in symbols cover a text several times over; so often, they are made to take long. */
const MOST_OVER = 1000;

/** So many marks for a character, and for any text: people's code has 0.05. */
const [MOST_FOR_EACH, MOST_BESIDES] = [0.5, 10];

/** Tells whether marks can be of a text that somebody wrote. @param length of the text */
export function arePlausible(marks: readonly Mark[], length: number): boolean {
  return marks.length <= mostMarks(length) && coverPlausibly(marks, length);
}

function mostMarks(length: number): number {
  return MOST_FOR_EACH * length + MOST_BESIDES;
}

function coverPlausibly(marks: readonly Mark[], length: number): boolean {
  return marks.reduce((sum, { start, end }) => sum + end - start, 0) <= MOST_OVER * length;
}

export function isMarkKind(kind: string): kind is MarkKind {
  return NUMBERS.has(kind);
}

/** Marks as bytes, a few each. */
export function packMarks(marks: readonly Mark[]): Uint8Array {
  const writer = new NumberWriter();
  let before = 0;
  for (const mark of marks) {
    const helpers = HELPERS.filter(([helper]) => mark[helper] !== undefined);
    writer.add(helpers.reduce((head, [, bit]) => head | bit, NUMBERS.get(mark.kind) ?? 0));
    writer.addSpan(mark, before);
    for (const [helper] of helpers) writer.addSpan(mark[helper] as Span, mark.start);
    before = mark.start;
  }
  return writer.bytes;
}

/**
 * Returns the marks of such bytes. @param length of their text @throws RangeError if they are not marks of such a text
 */
export function unpackMarks(bytes: Uint8Array, length: number): Mark[] {
  const reader = new NumberReader(bytes);
  const marks: Mark[] = [];
  const most = mostMarks(length);
  let before = 0;
  while (!reader.isAtEnd) {
    const head = reader.next();
    const kind = KINDS[head & KIND];
    if (kind === undefined || head > 0x7f) throw new RangeError('not a mark');
    const { start, end } = reader.nextSpan(before, length);
    const helpers: { name?: Span; owner?: Span; title?: Span } = {};
    for (const [helper, bit] of HELPERS) if ((head & bit) !== 0) helpers[helper] = reader.nextSpan(start, length);
    marks.push({ kind, start, end, ...helpers });
    // There may be far more, each of nothing.
    if (marks.length > most) break;
    before = start;
  }
  if (!arePlausible(marks, length)) throw new RangeError('too many marks');
  return marks;
}

/** Seven bits of a number are in each byte, and whether more follow. */
const [BITS, MORE] = [7, 0x80];
/** The largest number, exclusive: far more than the length of any text. */
const TOO_LARGE = 2 ** 31;

/** Writes numbers from 0 up, below 2³¹: small ones take one byte. */
export class NumberWriter {
  #bytes = new Uint8Array(1024);
  #size = 0;

  get bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#size);
  }

  add(number: number): void {
    if (this.#size + 5 > this.#bytes.length) this.#grow();
    let rest = number;
    for (; rest >= MORE; rest >>>= BITS) this.#bytes[this.#size++] = (rest & (MORE - 1)) | MORE;
    this.#bytes[this.#size++] = rest;
  }

  /** A part of a text that is probably near a place. */
  addSpan({ start, end }: Span, near: number): void {
    const away = start - near;
    // Numbers in turn: 0, -1, 1, -2, …
    this.add(away < 0 ? -2 * away - 1 : 2 * away);
    this.add(end - start);
  }

  #grow(): void {
    const larger = new Uint8Array(2 * this.#bytes.length);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads what a `NumberWriter` wrote; bytes that it cannot have written are errors. */
export class NumberReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The bytes that were not read yet. */
  get rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  /** @throws RangeError */
  next(): number {
    let number = 0;
    for (let factor = 1; factor < TOO_LARGE; factor *= MORE) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      number += (byte % MORE) * factor;
      if (byte < MORE && number < TOO_LARGE) return number;
    }
    throw new RangeError('not a number');
  }

  /** @param length of the text @throws RangeError if there is no such part in it */
  nextSpan(near: number, length: number): Span {
    const away = this.next();
    const start = near + (away % 2 === 1 ? -(away + 1) / 2 : away / 2);
    const end = start + this.next();
    if (start < 0 || end > length) throw new RangeError('not in the text');
    return { start, end };
  }
}

const MOST_COLUMNS = 400;
/** The lines that go on with a symbol at its own depth: the end of a signature, or the bracket that opens its body. */
const GOES_ON = /^\s*(?:[)\]].*)?\{\s*$/;
const CLOSES = /^\s*(?:[)\]}]|end\b)/;

/** A line, and where it is in its text. */
interface Row extends Span {
  readonly text: string;
}

/** Marks a text by the look of its lines, without a grammar: comments and symbols, which end by their indentation. */
export function marksByOutline(text: string, outline: Outline): Mark[] {
  const rows = rowsOf(text);
  const marks: Mark[] = [];
  const ends = endsOfBlocks(rows, outline);
  let owner: Span | undefined;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as Row;
    const last = lastOfComment(rows, at, outline, ends);
    if (last !== undefined) {
      marks.push({ kind: 'comment', start: row.start, end: (rows[last] as Row).end });
      at = last;
      continue;
    }
    owner = (outline.owner && nameIn(row, outline.owner)) ?? owner;
    for (const [kind, pattern] of outline.symbols) {
      const name = nameIn(row, pattern);
      if (!name) continue;
      marks.push({ kind, start: row.start, end: (rows[endOf(rows, at)] as Row).end, name, ...(owner && { owner }) });
      break;
    }
  }
  return marks;
}

function rowsOf(text: string): Row[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const row = { text: line.slice(0, MOST_COLUMNS), start, end: start + line.length };
    start = row.end + 1;
    return row;
  });
}

/** By row, the first one from there on that ends a comment of several lines; the row itself where none does. */
function endsOfBlocks(rows: readonly Row[], { block }: Outline): Int32Array {
  const ends = Int32Array.from(rows, (_, at) => at);
  let end: number | undefined;
  for (let at = rows.length - 1; block && at >= 0; at--) {
    if (block[1].test((rows[at] as Row).text)) end = at;
    ends[at] = end ?? at;
  }
  return ends;
}

/** Returns the last row of the comment that begins in a row; undefined if none does. */
function lastOfComment(rows: readonly Row[], at: number, outline: Outline, ends: Int32Array): number | undefined {
  const { text } = rows[at] as Row;
  if (!outline.block?.[0].test(text)) return outline.comment.test(text) ? at : undefined;
  const end = ends[at] ?? at;
  let last = at;
  while (last < end && !outline.anew?.test((rows[last + 1] as Row).text)) last++;
  return last;
}

function nameIn({ text, start }: Row, pattern: RegExp): Span | undefined {
  const name = pattern.exec(text)?.[1];
  if (name === undefined) return undefined;
  const from = start + text.indexOf(name, text.search(pattern));
  return { start: from, end: from + name.length };
}

/** Returns the last row of what begins in one: of those that are deeper, and the bracket or word that closes them. */
function endOf(rows: readonly Row[], at: number): number {
  const own = depthOf(rows[at] as Row);
  let end = at;
  for (let below = at + 1; below < rows.length; below++) {
    const row = rows[below] as Row;
    if (row.text.trim() === '') continue;
    const depth = depthOf(row);
    if (depth === own && CLOSES.test(row.text) && !GOES_ON.test(row.text)) return below;
    if (depth < own || (depth === own && !GOES_ON.test(row.text))) break;
    end = below;
  }
  return end;
}

function depthOf({ text }: Row): number {
  return text.length - text.trimStart().length;
}
