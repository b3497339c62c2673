import * as z from 'zod';
import { type Columns, isSound } from './columns.ts';
import { seal, unseal } from './sealed.ts';

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

/** The bytes of a kept file. @param about what has to be the same when it is read */
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

/** The columns in the order of `ORDER`. There are many bytes, so they are not copied. */
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
