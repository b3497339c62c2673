import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { posix } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readTextBytes } from '../files/read-text.ts';
import { HEAD, LONG_LINES, looksGenerated, TAIL } from '../files/skipped-files.ts';
import { isRandom } from '../secrets/value-strength.ts';
import { termsOf, termsOnce } from '../words/terms.ts';
import { type Salt, termHash } from './cache-folder.ts';
import { type Columns, emptyColumns, type FileState, STATES } from './columns.ts';

/** More of them only wait for the disk. */
const MOST_THREADS = 4;
/** The number of files that are read at once: few enough that progress is seen. */
const FILES_AT_ONCE = 400;
/** Fewer files are read faster than a thread starts. */
const WORTH_THREADS = 300;
/** The part of a thread's memory for new objects: V8 would take 40 MB more each, and save a twentieth of the time. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };

/** A thread that reads files. */
export interface ScanThread {
  /** One job at a time. @throws the signal's reason, or the error in the thread */
  scan(job: ScanJob, signal: AbortSignal | undefined): Promise<Columns>;
  close(): Promise<unknown>;
}

interface ThreadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told the number of files read so far. */
  readonly onDone?: ((files: number) => void) | undefined;
  readonly startThread?: (() => ScanThread) | undefined;
}

/** Reads files in threads of their own; the same whatever their number and timing. @throws the signal's reason */
export async function scanInThreads({ paths, ...job }: ScanJob, options: ThreadOptions = {}): Promise<Columns[]> {
  const jobs: ScanJob[] = [];
  for (let at = 0; at < paths.length; at += FILES_AT_ONCE)
    jobs.push({ ...job, paths: paths.slice(at, at + FILES_AT_ONCE) });
  options.signal?.throwIfAborted();
  if (paths.length <= WORTH_THREADS) {
    const columns = scanFiles({ ...job, paths });
    options.onDone?.(paths.length);
    return [columns];
  }
  const threads = Math.min(MOST_THREADS, Math.max(1, availableParallelism()), jobs.length);
  const results: Columns[] = [];
  let [next, done] = [0, 0];
  const started = Array.from({ length: threads }, options.startThread ?? startThread);
  const work = async (thread: ScanThread): Promise<void> => {
    for (let at = next++; at < jobs.length; at = next++) {
      const one = jobs[at] as ScanJob;
      results[at] = await thread.scan(one, options.signal);
      done += one.paths.length;
      options.onDone?.(done);
    }
  };
  try {
    await Promise.all(started.map(work));
  } finally {
    await Promise.all(started.map((thread) => thread.close()));
  }
  return results;
}

function startThread(): ScanThread {
  // When bundled, the worker is a separate bundle next to the one that this is part of.
  const file = import.meta.url.endsWith('.ts') ? './scan-worker.ts' : './scan-worker.cjs';
  const worker = new Worker(new URL(file, import.meta.url), { execArgv: [], resourceLimits });
  return { scan: (job, signal) => scanIn(worker, job, signal), close: () => worker.terminate() };
}

function scanIn(worker: Worker, job: ScanJob, signal: AbortSignal | undefined): Promise<Columns> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      worker.off('message', take).off('error', fail).off('exit', fail);
      signal?.removeEventListener('abort', abort);
    };
    const abort = (): void => {
      end();
      reject(signal?.reason);
    };
    const fail = (error: unknown): void => {
      end();
      reject(error instanceof Error ? error : new Error('a thread that reads files has ended'));
    };
    const take = (columns: Columns): void => {
      end();
      resolve(columns);
    };
    worker.on('message', take).on('error', fail).on('exit', fail);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    else worker.postMessage(job);
  });
}

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

/** The numbers of times that the terms of a text occur in it. */
interface Counted {
  /** Their hashes, sorted. */
  readonly hashes: Uint32Array;
  /** The number of times that each occurs, 255 at most. */
  readonly counts: Uint8Array;
  /** The number of terms in the text in all. */
  readonly total: number;
}

/** The class of a byte: part of a run of letters, digits and `_`; of one beyond ASCII; of both; or of nothing. */
const [ASCII, OTHER, HYPHEN] = [1, 2, 4];
const KINDS = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  if (byte >= 128) KINDS[byte] = OTHER;
  else if (/\w/.test(String.fromCharCode(byte))) KINDS[byte] = ASCII;
}
KINDS[0x2d] = HYPHEN;
/** Nobody asks for longer ones. */
const LONGEST_RUN = 400;
/** A run at least this long is looked at closer: it may be a key, a hash, or a part of something in base64. */
const LEAST_RANDOM = 16;
/** The number of runs that are remembered; only the largest work spaces have more. */
const MOST_RUNS = 1 << 20;
/** Of one run or term in one file; more count no more. */
const MOST_TIMES = (1 << 20) - 1;

/**
 * Counts the terms of texts by their bytes. A text consists of runs of letters and digits; which terms a run has is asked
 * once (`termsOf`) and then remembered, so that the terms are exactly those that a question has, but for names as one
 * word of two runs ("time out").
 */
export class TermCounter {
  readonly #salt: Salt;
  #runs = new Runs();
  readonly #tally = new Tally();

  constructor(salt: Salt) {
    this.#salt = salt;
  }

  /** @param extra terms that count so many times more, as those of a file's name */
  count(bytes: Uint8Array, extra: readonly (readonly [string, number])[] = []): Counted {
    if (this.#runs.size > MOST_RUNS) this.#runs = new Runs();
    const runs = this.#runs;
    const tally = this.#tally;
    const found = new Counts();
    for (const [term, times] of extra) found.add(termHash(term, this.#salt), times);
    const { length } = bytes;
    let total = 0;
    for (let at = 0; at < length; at++) {
      let kind = KINDS[bytes[at] as number] as number;
      if (kind === 0 || kind === HYPHEN) continue;
      const start = at;
      let first = 0x811c9dc5;
      let second = 0x9747b28c;
      let kinds = 0;
      do {
        const one = bytes[at] as number;
        first = Math.imul(first ^ one, 0x01000193);
        second = Math.imul(second + one, 0x85ebca6b);
        second ^= second >>> 15;
        kinds |= kind;
        at++;
        kind = at < length ? (KINDS[bytes[at] as number] as number) : 0;
      } while (kind !== 0);
      if ((kinds & OTHER) !== 0) {
        for (const hash of this.#hashesOf(textOf(bytes, start, at))) {
          found.add(hash, 1);
          total++;
        }
      } else if (at - start <= LONGEST_RUN) {
        let run = runs.find(first, second);
        if (run < 0) run = runs.add(first, second, this.#hashesOf(textOf(bytes, start, at)));
        tally.add(run);
      }
    }
    tally.drain((run, times) => {
      total += times * runs.addTo(found, run, times);
    });
    return { ...found.sorted(), total };
  }

  /** Those of a run's terms. */
  #hashesOf(run: string): number[] {
    // A run that nobody would write by hand is not asked for either, and might be a secret.
    if (run.length > LONGEST_RUN || (run.length >= LEAST_RANDOM && run.split(/[_-]/).some(isNoWord))) return [];
    return termsOnce(run).map((term) => termHash(term, this.#salt));
  }
}

/** Counts how often each of some numbers occurs. */
class Tally {
  #times = new Uint32Array(1024);
  #touched = new Uint32Array(1024);
  #size = 0;

  add(number: number): void {
    if (number >= this.#times.length) this.#times = withRoom(this.#times, number + 1);
    const before = this.#times[number] as number;
    this.#times[number] = before + 1;
    if (before > 0) return;
    if (this.#size === this.#touched.length) this.#touched = withRoom(this.#touched, this.#size + 1);
    this.#touched[this.#size++] = number;
  }

  /** Hands out all of them, and begins anew. */
  drain(each: (number: number, times: number) => void): void {
    for (let place = 0; place < this.#size; place++) {
      const number = this.#touched[place] as number;
      each(number, this.#times[number] as number);
      this.#times[number] = 0;
    }
    this.#size = 0;
  }
}

/** Hashes as they are met, each with how often; the same one may come several times. */
class Counts {
  /** Both in one number, so that they are sorted together. */
  readonly #both: number[] = [];

  add(hash: number, times: number): void {
    this.#both.push(hash * (MOST_TIMES + 1) + Math.min(MOST_TIMES, times));
  }

  sorted(): Pick<Counted, 'hashes' | 'counts'> {
    const both = Float64Array.from(this.#both).sort();
    const hashes = new Uint32Array(both.length);
    const counts = new Uint8Array(both.length);
    let filled = 0;
    for (let place = 0; place < both.length; place++) {
      const one = both[place] as number;
      const hash = Math.floor(one / (MOST_TIMES + 1));
      const isSame = filled > 0 && hashes[filled - 1] === hash;
      if (!isSame) filled++;
      const before = isSame ? (counts[filled - 1] as number) : 0;
      hashes[filled - 1] = hash;
      counts[filled - 1] = Math.min(255, before + (one % (MOST_TIMES + 1)));
    }
    return { hashes: hashes.slice(0, filled), counts: counts.slice(0, filled) };
  }
}

/** Numbers that a slot has: two hashes, and one more than the number of the run; the fourth keeps them on one cache line. */
const SLOT = 4;

/** The runs that were met, by two hashes, each with the hashes of its terms. */
class Runs {
  #slots = new Int32Array(SLOT << 16);
  /** Where the terms of each run end; they begin where those of the run before end. */
  #ends = new Uint32Array(1 << 15);
  #terms = new Uint32Array(1 << 16);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a run's terms, each so many times. @returns how many they are */
  addTo(found: Counts, run: number, times: number): number {
    const start = this.#startOf(run);
    const end = this.#ends[run] as number;
    for (let at = start; at < end; at++) found.add(this.#terms[at] as number, times);
    return end - start;
  }

  /** Returns the number of a run, -1 if it was not met yet. */
  find(first: number, second: number): number {
    const slots = this.#slots;
    const mask = slots.length / SLOT - 1;
    for (let slot = (first ^ second) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * SLOT;
      const number = slots[at + 2] as number;
      if (number === 0) return -1;
      if (slots[at] === first && slots[at + 1] === second) return number - 1;
    }
  }

  add(first: number, second: number, terms: readonly number[]): number {
    if (2 * SLOT * (this.#size + 1) > this.#slots.length) this.#grow();
    const run = this.#size++;
    const start = this.#startOf(run);
    this.#terms = withRoom(this.#terms, start + terms.length);
    this.#terms.set(terms, start);
    this.#ends = withRoom(this.#ends, run + 1);
    this.#ends[run] = start + terms.length;
    this.#place(first, second, run + 1);
    return run;
  }

  #startOf(run: number): number {
    return run === 0 ? 0 : (this.#ends[run - 1] as number);
  }

  #place(first: number, second: number, number: number): void {
    const mask = this.#slots.length / SLOT - 1;
    let slot = (first ^ second) & mask;
    while (this.#slots[slot * SLOT + 2] !== 0) slot = (slot + 1) & mask;
    this.#slots.set([first, second, number], slot * SLOT);
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Int32Array(2 * slots.length);
    for (let at = 0; at < slots.length; at += SLOT)
      if (slots[at + 2] !== 0) this.#place(slots[at] as number, slots[at + 1] as number, slots[at + 2] as number);
  }
}

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
    if (areGenerated(bytes)) return { state: 'generated', contents };
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
function areGenerated(bytes: Buffer): boolean {
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

/** Long names of words without a digit are taken for random ones too easily. */
function isNoWord(part: string): boolean {
  return part.length >= LEAST_RANDOM && /\d/.test(part) && isRandom(part, LEAST_RANDOM);
}

/** Returns the numbers with room for at least so many. */
function withRoom(numbers: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  if (least <= numbers.length) return numbers;
  const larger = new Uint32Array(Math.max(least, 2 * numbers.length));
  larger.set(numbers);
  return larger;
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}
