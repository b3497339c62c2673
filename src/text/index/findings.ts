import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type ChunkedFile, chunkByMarks } from '../chunk/chunk-file.ts';
import { NumberReader, NumberWriter, unpackMarks } from '../chunk/marks.ts';
import { parser } from '../chunk/parser.ts';
import { readWritten, sourceFile, type Written } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import { type FoundSecrets, leaveOut, type Span } from '../secrets/spans.ts';
import { type CacheFolder, seal, unseal } from './cache-folder.ts';

/**
 * The findings in a file that are needed before it can be cut, which take most of the time. Numbers only: with the
 * file's text they give its pieces, and without it they say nothing of it.
 */
interface Findings {
  /** The hash of the file's bytes. */
  readonly content: string;
  readonly secrets: FoundSecrets;
  /** The marks that its grammar finds in the text without secrets, packed. */
  readonly marks: Uint8Array;
}

/** A file that can be cut. */
interface FoundFile {
  readonly path: string;
  /** Without its secrets. */
  readonly text: string;
  readonly findings: Findings;
}

/** A file, without its secrets, and its pieces. */
export interface ChunkedSource {
  readonly file: SourceFile;
  readonly cut: ChunkedFile;
  /** Undefined if there may be more to find, another time. */
  readonly findings: Findings | undefined;
}

/** Finds marks in the text of a file, packed; rejects if it cannot, whatever the text. */
export type FindMarks = (path: string, text: string) => Promise<Uint8Array>;

const NO_MARKS = new Uint8Array();

/** Reads and cuts a file; undefined if it is not for quoting. @param folder the real, absolute path */
export async function chunkSource(
  folder: string,
  path: string,
  filter: SecretFilter,
  findMarks: FindMarks = (...file) => parser.findMarks(...file),
): Promise<ChunkedSource | undefined> {
  const written = readWritten(folder, path, filter);
  if (!written) return undefined;
  try {
    const secrets = await filter.find(path, written.text);
    const text = leaveOut(written.text, secrets.spans);
    // Without marks it is still text.
    const marks = await findMarks(path, text).catch(() => undefined);
    const findings = { content: contentOf(written), secrets, marks: marks ?? NO_MARKS };
    return { ...chunkFound({ path, text, findings }), ...(marks ? {} : { findings: undefined }) };
  } catch {
    return undefined; // one file must not end a search
  }
}

/** Cuts a file for which that was found. @throws RangeError if it was found of another text */
export function chunkFound({ path, text, findings }: FoundFile): ChunkedSource {
  const file = sourceFile(path, text, findings.secrets.count);
  return { file, cut: chunkByMarks(file, unpackMarks(findings.marks, text.length), text), findings };
}

/** Tells a file's content from any other. */
export function contentOf({ bytes }: Written): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

const FORMAT = 1;
const MAGIC = 'thought-tree findings\n';
/** Of one folder: a whole one that is taken as such has less. */
const MOST_FILES = 4000;
const MOST_BYTES = 4_000_000;

const Head = z.object({
  format: z.literal(FORMAT),
  /** The folder, the exceptions of its secrets, the salt, and the version of what finds. */
  about: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      content: z.string(),
      /** Where its bytes end; they begin where those of the file before end. */
      end: z.number().int().min(0),
    }),
  ),
});

/** The findings that are kept of a file, for one content. */
interface Kept {
  readonly content: string;
  readonly bytes: Uint8Array;
}

/**
 * The findings in the files of a folder that was asked about: kept in the cache folder, so that the next process reads
 * these files and parses none. There is no text in it: see `Findings`. A damaged or foreign one is made anew.
 */
export class KeptFindings {
  readonly #cache: CacheFolder | undefined;
  readonly #about: string;
  readonly #name: string;
  #files: ReadonlyMap<string, Kept> | undefined;
  #saving: Promise<unknown> = Promise.resolve();

  /**
   * @param folder whose files they are
   * @param allowedFiles as for `SecretFilter`
   * @param version of what finds; another one's findings are of no use. Undefined if it may change: then nothing is kept
   */
  constructor(
    cache: CacheFolder | undefined,
    folder: string,
    allowedFiles: readonly string[],
    version: string | undefined,
  ) {
    this.#cache = version === undefined ? undefined : cache;
    const of = [folder, allowedFiles, cache?.salt];
    this.#about = JSON.stringify([...of, version]);
    // Those of another version are replaced.
    this.#name = `${createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 32)}.findings`;
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  /** Tells whether something is known of a file, if it did not change. */
  has(path: string): boolean {
    return this.#all.has(path);
  }

  /** Returns what was found in a file with the same content; undefined if it changed. */
  of(path: string, written: Written): Findings | undefined {
    const kept = this.#all.get(path);
    return kept && kept.content === contentOf(written) ? unpacked(kept, written.text.length) : undefined;
  }

  /**
   * Keeps what was found, in the background, unless it is what is kept. What other questions found stays, the longest unused
   * of it up to a bound.
   */
  save(sources: readonly ChunkedSource[]): void {
    const cache = this.#cache;
    const isKept = ({ file, findings }: ChunkedSource): boolean =>
      findings === undefined || this.#all.get(file.path)?.content === findings.content;
    if (!cache || sources.every(isKept)) return;
    const files = new Map(this.#all);
    for (const { file, findings } of sources) {
      if (!findings) continue;
      files.delete(file.path);
      files.set(file.path, { content: findings.content, bytes: packed(findings) });
    }
    makeRoom(files);
    this.#files = files;
    this.#saving = this.#saving.then(() =>
      // Findings that were replaced in between need not be written.
      files === this.#files ? cache.write(this.#name, this.#bytesOf(files)) : undefined,
    );
  }

  /** Resolves when what was saved last is written. */
  async saved(): Promise<void> {
    await this.#saving;
  }

  get #all(): ReadonlyMap<string, Kept> {
    this.#files ??= this.#read();
    return this.#files;
  }

  #read(): ReadonlyMap<string, Kept> {
    const files = new Map<string, Kept>();
    const bytes = this.#cache?.read(this.#name);
    if (!bytes) return files;
    try {
      const { head, body } = unseal(MAGIC, bytes);
      const { about, files: listed } = Head.parse(head);
      if (about !== this.#about) return files;
      let start = 0;
      for (const { path, content, end } of listed) {
        if (end < start || end > body.length) return new Map();
        files.set(path, { content, bytes: body.subarray(start, end) });
        start = end;
      }
      return files;
    } catch {
      return new Map(); // damaged, or of another format
    }
  }

  #bytesOf(files: ReadonlyMap<string, Kept>): Uint8Array[] {
    let end = 0;
    const listed = Array.from(files, ([path, { content, bytes }]) => {
      end += bytes.length;
      return { path, content, end };
    });
    const body = Buffer.concat(Array.from(files.values(), ({ bytes }) => bytes));
    return seal(MAGIC, { format: FORMAT, about: this.#about, files: listed }, [body]);
  }
}

/** Lets go of those that were saved first. */
function makeRoom(files: Map<string, Kept>): void {
  let size = 0;
  for (const { bytes } of files.values()) size += bytes.length;
  for (const [path, { bytes }] of files) {
    if (size <= MOST_BYTES && files.size <= MOST_FILES) return;
    files.delete(path);
    size -= bytes.length;
  }
}

function packed({ secrets, marks }: Findings): Uint8Array {
  const writer = new NumberWriter();
  writer.add(secrets.count);
  writer.add(secrets.spans.length);
  let before = 0;
  for (const span of secrets.spans) {
    writer.addSpan(span, before);
    before = span.end;
  }
  return Buffer.concat([writer.bytes, marks]);
}

/** Undefined if these are not findings in such a text. @param length of the text, with its secrets */
function unpacked({ content, bytes }: Kept, length: number): Findings | undefined {
  const reader = new NumberReader(bytes);
  const spans: Span[] = [];
  try {
    const count = reader.next();
    for (let left = reader.next(), before = 0; left > 0; left--) {
      const span = reader.nextSpan(before, length);
      // None is empty, so that there are no more of them than characters.
      if (span.start < before || span.end <= span.start) return undefined;
      spans.push(span);
      before = span.end;
    }
    return { content, secrets: { spans, count }, marks: reader.rest };
  } catch {
    return undefined;
  }
}
