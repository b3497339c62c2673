import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { type Columns, emptyColumns, isSound } from './columns.ts';

/** What a kept file is: another one is made anew. */
const FORMAT = 1;
const MAGIC = 'thought-tree index\n';
const LONGEST_HEAD = 64 * 1024 * 1024;
const MOST_TERMS = 1 << 28;

const Head = z.object({
  format: z.literal(FORMAT),
  /** The folder, the exceptions of its secrets, the salt and the rules for words. */
  about: z.string(),
  rows: z.number().int().min(0),
  terms: z.number().int().min(0).max(MOST_TERMS),
  paths: z.array(z.string()),
  sum: z.number(),
});

/** The files of a folder, by path, and what is known of each. */
export interface KeptColumns {
  readonly paths: readonly string[];
  readonly columns: Columns;
}

const ORDER = ['sizes', 'changed', 'touched', 'contents', 'totals', 'ends', 'terms', 'states', 'counts'] as const;

/** The bytes of a kept file. @param about what has to be the same when it is read */
export function writeColumns({ paths, columns }: KeptColumns, about: string): Uint8Array[] {
  const parts = ORDER.map((name) => bytesOf(columns[name]));
  const sum = parts.reduce((before, part) => crc32(part, before), 0);
  const head = { format: FORMAT, about, rows: paths.length, terms: columns.terms.length, paths, sum };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(8);
  length.writeUInt32LE(text.length, 0);
  length.writeUInt32LE(crc32(text), 4);
  return [Buffer.from(MAGIC), length, text, ...parts];
}

/** Undefined for one that is damaged, foreign, of another format or about something else. */
export function readColumns(bytes: Buffer, about: string): KeptColumns | undefined {
  try {
    if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
    const length = bytes.readUInt32LE(MAGIC.length);
    const start = MAGIC.length + 8;
    const text = bytes.subarray(start, start + length);
    if (length > LONGEST_HEAD || crc32(text) !== bytes.readUInt32LE(MAGIC.length + 4)) return undefined;
    const head = Head.parse(JSON.parse(text.toString('utf8')));
    if (head.about !== about || head.rows !== head.paths.length) return undefined;
    const columns = emptyColumns(head.rows, head.terms);
    let at = start + length;
    let sum = 0;
    for (const name of ORDER) {
      const part = bytes.subarray(at, at + columns[name].byteLength);
      at += part.byteLength;
      sum = crc32(part, sum);
      bytesOf(columns[name]).set(part);
    }
    if (at !== bytes.length || sum !== head.sum || !isSound(columns)) return undefined;
    return { paths: head.paths, columns };
  } catch {
    return undefined;
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Columns[keyof Columns]): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
