import * as z from 'zod';
import { seal, unseal } from './cache-folder.ts';

/** The states of a file: its `words` are known, or why not. */
export const STATES = ['words', 'binary', 'generated', 'too-large', 'unreadable'] as const;
export type FileState = (typeof STATES)[number];

/**
 * The facts about files, a row each. Plain arrays of numbers: they travel between threads and to the disk as they are,
 * and of large folders there are millions.
 */
export interface Columns {
  /** In bytes, -1 for a file that is gone. */
  readonly sizes: Float64Array;
  /** Times of the last change of content and of anything, in milliseconds; NaN where another change may look the same. */
  readonly changed: Float64Array;
  readonly touched: Float64Array;
  /** Two numbers a row that tell one content from another. */
  readonly contents: Uint32Array;
  /** Places in `STATES`. */
  readonly states: Uint8Array;
  /** The number of lines; 0 for a file that is no text, or was not read. */
  readonly lines: Uint32Array;
  /** The number of terms in each. */
  readonly totals: Uint32Array;
  /** Where its terms end; they begin where those of the row before end. */
  readonly ends: Uint32Array;
  /** Hashes of terms, sorted in each row. */
  readonly terms: Uint32Array;
  /** The number of times that each occurs, 255 at most. */
  readonly counts: Uint8Array;
}

/** A row of some columns. */
export interface Row {
  readonly columns: Columns;
  readonly row: number;
}

export function emptyColumns(rows: number, terms: number): Columns {
  return {
    sizes: new Float64Array(rows),
    changed: new Float64Array(rows),
    touched: new Float64Array(rows),
    contents: new Uint32Array(2 * rows),
    states: new Uint8Array(rows),
    lines: new Uint32Array(rows),
    totals: new Uint32Array(rows),
    ends: new Uint32Array(rows),
    terms: new Uint32Array(terms),
    counts: new Uint8Array(terms),
  };
}

export function startOf({ ends }: Columns, row: number): number {
  return row === 0 ? 0 : (ends[row - 1] as number);
}

/** Columns that consist of these rows, in this order. */
export function columnsOf(rows: readonly Row[]): Columns {
  let length = 0;
  for (const { columns, row } of rows) length += (columns.ends[row] as number) - startOf(columns, row);
  const all = emptyColumns(rows.length, length);
  let end = 0;
  rows.forEach(({ columns, row }, place) => {
    const [from, to] = [startOf(columns, row), columns.ends[row] as number];
    all.terms.set(columns.terms.subarray(from, to), end);
    all.counts.set(columns.counts.subarray(from, to), end);
    end += to - from;
    all.ends[place] = end;
    all.sizes[place] = columns.sizes[row] as number;
    all.changed[place] = columns.changed[row] as number;
    all.touched[place] = columns.touched[row] as number;
    all.contents[2 * place] = columns.contents[2 * row] as number;
    all.contents[2 * place + 1] = columns.contents[2 * row + 1] as number;
    all.states[place] = columns.states[row] as number;
    all.lines[place] = columns.lines[row] as number;
    all.totals[place] = columns.totals[row] as number;
  });
  return all;
}

/** Tells whether columns that were read from a file can be those of so many files. */
function isSound({ ends, terms, counts, states }: Columns): boolean {
  let before = 0;
  for (const end of ends) {
    if (end < before) return false;
    before = end;
  }
  return before === terms.length && before === counts.length && states.every((state) => state < STATES.length);
}

/** The version of kept files: one of another version is made anew. */
const FORMAT = 4;
const MAGIC = 'thought-tree index\n';
const MOST_TERMS = 1 << 28;

const Head = z.object({
  format: z.literal(FORMAT),
  /** The folder, the exceptions of its secrets, the salt and the rules for words. */
  about: z.string(),
  rows: z.number().int().min(0),
  terms: z.number().int().min(0).max(MOST_TERMS),
  paths: z.array(z.string()),
});

/** The files of a folder, by path, and what is known of each. */
export interface KeptColumns {
  readonly paths: readonly string[];
  readonly columns: Columns;
}

const ORDER = [
  'sizes',
  'changed',
  'touched',
  'contents',
  'lines',
  'totals',
  'ends',
  'terms',
  'states',
  'counts',
] as const;

/** The largest numbers of the columns have so many bytes. */
const ALIGNED = 8;
const [BYTES_A_ROW, BYTES_A_TERM] = [3 * 8 + 2 * 4 + 3 * 4 + 1, 4 + 1];

interface KindOf<Part> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, at: number, length: number): Part;
}

/** Returns the bytes of a kept file. @param about what has to be the same when it is read */
export function writeColumns({ paths, columns }: KeptColumns, about: string): Uint8Array[] {
  const head = { format: FORMAT, about, rows: paths.length, terms: columns.terms.length, paths };
  const parts = ORDER.map((name) => bytesOf(columns[name]));
  return seal(MAGIC, head, parts);
}

/** Undefined for one that is damaged, foreign, of another format or about something else. */
export function readColumns(bytes: Buffer, about: string): KeptColumns | undefined {
  try {
    const sealed = unseal(MAGIC, bytes);
    const head = Head.parse(sealed.head);
    if (head.about !== about || head.rows !== head.paths.length) return undefined;
    const columns = columnsIn(sealed.body, head.rows, head.terms);
    return columns && isSound(columns) ? { paths: head.paths, columns } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the columns in the order of `ORDER`. There are many bytes, so they are not copied. */
function columnsIn(bytes: Buffer, rows: number, terms: number): Columns | undefined {
  // One that was read in parts or by an earlier version may begin anywhere.
  const { buffer, byteOffset } = bytes.byteOffset % ALIGNED === 0 ? bytes : new Uint8Array(bytes);
  let at = byteOffset;
  const take = <Part>(Kind: KindOf<Part>, count: number): Part => {
    const part = new Kind(buffer, at, count);
    at += Kind.BYTES_PER_ELEMENT * count;
    return part;
  };
  if (bytes.length !== rows * BYTES_A_ROW + terms * BYTES_A_TERM) return undefined;
  return {
    sizes: take(Float64Array, rows),
    changed: take(Float64Array, rows),
    touched: take(Float64Array, rows),
    contents: take(Uint32Array, 2 * rows),
    lines: take(Uint32Array, rows),
    totals: take(Uint32Array, rows),
    ends: take(Uint32Array, rows),
    terms: take(Uint32Array, terms),
    states: take(Uint8Array, rows),
    counts: take(Uint8Array, terms),
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: Columns[keyof Columns]): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
