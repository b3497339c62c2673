import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { posix } from 'node:path';
import { HEAD, LONG_LINES, looksGenerated, TAIL } from '../../files/excluded-files.ts';
import { readTextBytes } from '../../files/read-text.ts';
import { termsOf } from '../../words/terms.ts';
import { type Columns, emptyColumns, type FileState, STATES } from './columns.ts';
import { type Counted, TermCounter } from './term-counter.ts';
import type { Salt } from './term-hash.ts';

/** Files to be read. */
export interface ScanJob {
  /** The real, absolute path of the folder. */
  readonly folder: string;
  /** Relative to it, with `/`. */
  readonly paths: readonly string[];
  readonly salt: Salt;
}

/** A file that changed this short a time ago may change again and look the same, in milliseconds. */
const JUST_NOW = 2000;
const NEW_LINE = 10;
/** The factors by which words of its path count more: they say what a file is about. */
const [OF_NAME, OF_FOLDER] = [6, 2];

/** Each file is read into the same bytes: nothing of one is needed for the next. */
const ROOM = Buffer.alloc(512 * 1024);

let counter: { readonly salt: Salt; readonly counter: TermCounter } | undefined;

/** Reads files and counts their terms. Each thread remembers the words that it has met. */
export function scanFiles({ folder, paths, salt }: ScanJob): Columns {
  if (counter?.salt.first !== salt.first || counter.salt.second !== salt.second)
    counter = { salt, counter: new TermCounter(salt) };
  const { counter: own } = counter;
  const columns = emptyColumns(paths.length, 0);
  const found: Counted[] = [];
  let length = 0;
  paths.forEach((path, row) => {
    const { state, counted, contents } = scan(`${folder}/${path}`, path, own, row, columns);
    columns.states[row] = STATES.indexOf(state);
    columns.contents.set(contents, 2 * row);
    if (counted) {
      found[row] = counted;
      length += counted.hashes.length;
      columns.totals[row] = counted.total;
    }
    columns.ends[row] = length;
  });
  const [terms, counts] = [new Uint32Array(length), new Uint8Array(length)];
  found.forEach((counted, row) => {
    const start = (columns.ends[row] as number) - counted.hashes.length;
    terms.set(counted.hashes, start);
    counts.set(counted.counts, start);
  });
  return { ...columns, terms, counts };
}

interface Scanned {
  readonly state: FileState;
  readonly counted?: Counted;
  readonly contents: readonly [number, number];
}

const NO_CONTENT = [0, 0] as const;

function scan(file: string, path: string, counter: TermCounter, row: number, columns: Columns): Scanned {
  columns.sizes[row] = -1;
  try {
    const now = Date.now();
    // Before it is read: what changes in between is different next time.
    const stats = lstatSync(file);
    columns.sizes[row] = stats.size;
    columns.changed[row] = stats.mtimeMs > now - JUST_NOW ? Number.NaN : stats.mtimeMs;
    columns.touched[row] = stats.ctimeMs;
    if (!stats.isFile()) return { state: 'unreadable', contents: NO_CONTENT };
    const bytes = readTextBytes(file, ROOM);
    if (typeof bytes === 'string')
      return { state: bytes === 'too-large' ? 'too-large' : 'binary', contents: NO_CONTENT };
    const contents = contentOf(bytes);
    columns.lines[row] =
      bytes.length === 0 ? 0 : linesIn(bytes, Number.POSITIVE_INFINITY) - Number(bytes.at(-1) === NEW_LINE);
    if (isGenerated(bytes)) return { state: 'generated', contents };
    return { state: 'words', counted: counter.count(bytes, termsOfPath(path)), contents };
  } catch {
    return { state: 'unreadable', contents: NO_CONTENT };
  }
}

function contentOf(bytes: Uint8Array): readonly [number, number] {
  const hash = createHash('sha256').update(bytes).digest();
  return [hash.readUInt32LE(0), hash.readUInt32LE(4)];
}

/** Before its terms are counted, which takes longer. */
function isGenerated(bytes: Buffer): boolean {
  const head = bytes.toString('utf8', 0, 4 * HEAD).slice(0, HEAD);
  const tail = bytes.toString('latin1', bytes.length - TAIL);
  const lines = linesIn(bytes, Math.ceil(bytes.length / LONG_LINES));
  // With lines so short, the exact number of characters does not matter.
  const length = lines * LONG_LINES >= bytes.length ? 0 : bytes.toString('utf8').length;
  return looksGenerated({ head, tail, length, lines });
}

/** Counts lines, no further than to `most`. */
function linesIn(bytes: Uint8Array, most: number): number {
  let lines = 1;
  for (let at = bytes.indexOf(NEW_LINE); at >= 0 && lines < most; at = bytes.indexOf(NEW_LINE, at + 1)) lines++;
  return lines;
}

function termsOfPath(path: string): [string, number][] {
  const name = posix.basename(path).replace(/(?<=.)\.[^.]*$/, '');
  const folders = posix.dirname(path);
  return [
    ...termsOf(name).map((term): [string, number] => [term, OF_NAME]),
    ...(folders === '.' ? [] : termsOf(folders).map((term): [string, number] => [term, OF_FOLDER])),
  ];
}
