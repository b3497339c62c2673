import * as z from 'zod';
import { Breather } from '../../core/concurrency.ts';
import type { Commit, Files, ReadFiles } from '../files/files.ts';
import { Journal } from '../journal/journal.ts';
import { textHash } from '../system-ports.ts';

const OBJECTS = '.search/objects';
/** One line of JSON for each text, in the order in which they were kept. */
export const KEPT_TEXTS = `${OBJECTS}/texts.jsonl`;

/** A longer text is named and not kept, in bytes. */
export const LONGEST_KEPT = 5 * 1024 * 1024;

const CHUNK = 1024 * 1024;
const NEWLINE = 0x0a;
/** Escapes make a text six times as long, at most. */
const LONGEST_LINE = 7 * LONGEST_KEPT;
const HEAD = /^\{"hash":"([\da-f]{32})"/;
const HEAD_LENGTH = 64;

const KeptText = z.object({
  hash: z.string(),
  text: z.string().optional(),
  /** Instead of the text, of bytes that are no UTF-8. */
  base64: z.string().optional(),
  /** Of one that is too long to be kept. */
  bytes: z.number().optional(),
});

/** Where the line of a text is, in bytes. */
interface Place {
  readonly offset: number;
  readonly length: number;
}

/** The texts that a search keeps of what was written over, by their hashes; for reading. */
export class KeptTexts {
  readonly #files: ReadFiles;
  readonly #places = new Map<string, Place>();
  #read = 0;

  constructor(files: ReadFiles) {
    this.#files = files;
  }

  /** Returns the size of all of them, in bytes. */
  async size(): Promise<number> {
    return (await this.#files.stat(KEPT_TEXTS))?.size ?? 0;
  }

  /** Tells whether a text is kept, or named as too long. */
  async has(hash: string): Promise<boolean> {
    await this.#index();
    return this.#places.has(hash);
  }

  /** Returns the bytes of a text; `too-long` if it is only named, undefined if it is not there, or damaged. */
  async read(hash: string): Promise<Uint8Array | 'too-long' | undefined> {
    await this.#index();
    const place = this.#places.get(hash);
    if (!place) return undefined;
    const line = await this.#files.readBytes(KEPT_TEXTS, place.offset, place.length);
    const kept = keptIn(Buffer.from(line).toString('utf8'));
    if (kept?.bytes !== undefined) return 'too-long';
    const bytes = kept && bytesOf(kept);
    return bytes && textHash(bytes) === hash ? bytes : undefined;
  }

  /** Reads what was added since the last time. Only the beginnings of lines are looked at. */
  async #index(): Promise<void> {
    const size = await this.size();
    if (size < this.#read) {
      this.#places.clear();
      this.#read = 0;
    }
    if (size === this.#read) return;
    for await (const { offset, length, head } of linesIn(this.#files, this.#read, size)) {
      const hash = HEAD.exec(head)?.[1];
      if (hash !== undefined && length <= LONGEST_LINE) this.#places.set(hash, { offset, length });
      this.#read = offset + length + 1;
    }
  }
}

interface Line extends Place {
  /** Its first characters. */
  readonly head: string;
}

/** The whole lines of the file between two places. */
async function* linesIn(files: ReadFiles, from: number, to: number): AsyncGenerator<Line> {
  const breather = new Breather();
  let begin = from;
  let head = Buffer.alloc(0);
  for (let at = from; at < to; ) {
    await breather.breathe();
    const bytes = Buffer.from(await files.readBytes(KEPT_TEXTS, at, CHUNK));
    if (bytes.length === 0) return;
    for (let next = 0; next < bytes.length; ) {
      const end = bytes.indexOf(NEWLINE, next);
      const stop = end < 0 ? bytes.length : end;
      if (head.length < HEAD_LENGTH)
        head = Buffer.concat([head, bytes.subarray(next, Math.min(stop, next + HEAD_LENGTH))]);
      if (end < 0) break;
      yield { offset: begin, length: at + end - begin, head: head.toString('latin1') };
      begin = at + end + 1;
      next = end + 1;
      head = Buffer.alloc(0);
    }
    at += bytes.length;
  }
}

function keptIn(line: string): z.infer<typeof KeptText> | undefined {
  try {
    return KeptText.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined; // a loss of power may have left anything
  }
}

/** Returns the text in a line of the file, if one is. */
export function textOfLine(line: string): string | undefined {
  const kept = line === '' ? undefined : keptIn(line);
  return kept && bytesOf(kept)?.toString();
}

function bytesOf({ text, base64 }: z.infer<typeof KeptText>): Buffer | undefined {
  if (text !== undefined) return Buffer.from(text);
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

/** Keeps texts, each once. What is kept is on the disk itself when the search is closed. */
export class TextKeeper extends KeptTexts {
  readonly #files: Files;
  readonly #commit: Commit;
  readonly #lines: Journal;
  #made: Promise<void> | undefined;
  /** The texts that this process kept lately, by hash. */
  readonly #fresh = new Map<string, Promise<void>>();

  constructor(files: Files, commit: Commit) {
    super(files);
    this.#files = files;
    this.#commit = commit;
    this.#lines = new Journal(files, () => commit.beforeCommit?.(), KEPT_TEXTS);
  }

  /**
   * Keeps a new text, whose hash nobody has yet, most likely; what is there twice does no harm.
   * @returns its hash
   */
  async keepNew(content: string | Uint8Array): Promise<string> {
    const hash = textHash(content);
    await this.#once(hash, content, false);
    return hash;
  }

  /**
   * Keeps a text unless it is kept.
   * @param flush whether it must be on the disk itself then, since what it was in is about to be written over
   */
  async keep(bytes: Uint8Array, flush = true): Promise<void> {
    const hash = textHash(bytes);
    if (this.#fresh.has(hash) || !(await this.has(hash))) await this.#once(hash, bytes, flush);
  }

  async idle(): Promise<void> {
    await this.#lines.idle();
  }

  #once(hash: string, content: string | Uint8Array, flush: boolean): Promise<void> {
    const before = this.#fresh.get(hash);
    if (before) return before;
    if (this.#fresh.size >= MOST_FRESH) this.#fresh.clear();
    const keeping = this.#append(hash, content, flush);
    this.#fresh.set(hash, keeping);
    keeping.catch(() => this.#fresh.delete(hash));
    return keeping;
  }

  async #append(hash: string, content: string | Uint8Array, flush = false): Promise<void> {
    this.#made ??= this.#files.makeFolder(OBJECTS, this.#commit);
    await this.#made.catch((error: unknown) => {
      this.#made = undefined;
      throw error;
    });
    await this.#lines.append({ hash, ...written(content) }, flush);
  }
}

/** Hashes of texts that were just kept: as many as may be under way. */
const MOST_FRESH = 5000;

function written(content: string | Uint8Array): Omit<z.infer<typeof KeptText>, 'hash'> {
  const bytes = Buffer.byteLength(content);
  if (bytes > LONGEST_KEPT) return { bytes };
  if (typeof content === 'string') return { text: content };
  const text = Buffer.from(content).toString('utf8');
  return Buffer.from(text).equals(content) ? { text } : { base64: Buffer.from(content).toString('base64') };
}
