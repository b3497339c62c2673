import { readWritten } from '../files/read-source.ts';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import { leaveOut } from '../secrets/spans.ts';
import type { KeptFindings } from './findings.ts';
import { type ChunkedSource, chunkFound, chunkSource, type FindMarks } from './findings.ts';

/** The size of the texts that stay cut, in characters. */
const MOST_KEPT = 12_000_000;
/** Some files are read while another one is parsed. */
const AT_ONCE = 4;

/** A file to be cut, and what tells its content from another. */
export interface SourcePlace {
  readonly path: string;
  readonly content: string;
}

interface Helpers {
  /** The findings of earlier processes in the files. */
  readonly findings?: KeptFindings | undefined;
  readonly findMarks?: FindMarks | undefined;
}

/** Files that are being cut, from the first on. */
class Chunking {
  readonly #left: Map<string, SourcePlace>;
  readonly #cut = new Map<string, ChunkedSource | undefined>();
  /** Resolves when all are cut that are wanted. */
  readonly done: Promise<unknown>;

  constructor(places: readonly SourcePlace[], cut: (place: SourcePlace) => Promise<ChunkedSource | undefined>) {
    this.#left = new Map(places.map((place) => [keyOf(place), place]));
    this.done = Promise.all(Array.from({ length: AT_ONCE }, () => this.#work(cut)));
  }

  /** Leaves out what need not be cut after all. */
  limitTo(wanted: ReadonlySet<string>): void {
    for (const key of this.#left.keys()) if (!wanted.has(key)) this.#left.delete(key);
  }

  /** Tells whether a file is cut, or will be. */
  has(key: string): boolean {
    return this.#left.has(key) || this.#cut.has(key);
  }

  get(key: string): ChunkedSource | undefined {
    return this.#cut.get(key);
  }

  async #work(cut: (place: SourcePlace) => Promise<ChunkedSource | undefined>): Promise<void> {
    for (const [key, place] of this.#left) {
      this.#left.delete(key);
      this.#cut.set(key, undefined);
      this.#cut.set(key, await cut(place));
    }
  }
}

/** Reads and cuts files; those of the last questions stay cut, as long as their content does not change. */
export class ChunkedSources {
  readonly #folder: string;
  readonly #filter: SecretFilter;
  readonly #kept = new Map<string, { readonly source: ChunkedSource; readonly length: number }>();
  #length = 0;
  readonly #findings: KeptFindings | undefined;
  readonly #findMarks: FindMarks | undefined;
  #begun: Chunking | undefined;

  /** @param folder the real, absolute path */
  constructor(folder: string, filter: SecretFilter, { findings, findMarks }: Helpers = {}) {
    this.#folder = folder;
    this.#filter = filter;
    this.#findings = findings;
    this.#findMarks = findMarks;
  }

  /** Cuts what is probably asked for next, while it is still being found out whether it changed. */
  begin(places: readonly SourcePlace[]): void {
    this.rest();
    this.#begun = this.#start(
      places.filter((place) => !this.#kept.has(keyOf(place)) && !this.#findings?.has(place.path)),
    );
  }

  /** In the same order, without those that are gone. @throws the signal's reason */
  async cut(places: readonly SourcePlace[], signal?: AbortSignal): Promise<ChunkedSource[]> {
    const known: (ChunkedSource | undefined)[] = [];
    for (const place of places) known.push(this.#known(place) ?? (await this.#chunkAgain(place, signal)));
    const unknown = places.filter((_, at) => known[at] === undefined);
    const cut = await this.#chunkAll(unknown, signal);
    for (const [at, place] of unknown.entries()) this.#keep(place, cut[at]);
    let next = 0;
    const all = known.map((source) => source ?? cut[next++]);
    this.#makeRoom();
    return all.filter((source) => source !== undefined);
  }

  /** Lets go of what was begun and nobody asked for. */
  rest(): void {
    this.#begun?.limitTo(new Set());
    this.#begun = undefined;
  }

  async #chunkAll(
    places: readonly SourcePlace[],
    signal: AbortSignal | undefined,
  ): Promise<(ChunkedSource | undefined)[]> {
    const begun = this.#begun;
    this.#begun = undefined;
    begun?.limitTo(new Set(places.map(keyOf)));
    const others = this.#start(places.filter((place) => !begun?.has(keyOf(place))));
    const stop = (): void => {
      for (const one of [begun, others]) one?.limitTo(new Set());
    };
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    await Promise.all([begun?.done, others.done]);
    signal?.removeEventListener('abort', stop);
    signal?.throwIfAborted();
    return places.map((place) => (begun?.has(keyOf(place)) ? begun : others).get(keyOf(place)));
  }

  #start(places: readonly SourcePlace[]): Chunking {
    return new Chunking(places, async ({ path }) => {
      // Lets in whoever wants it to stop.
      await new Promise((resolve) => setImmediate(resolve));
      return chunkSource(this.#folder, path, this.#filter, this.#findMarks);
    });
  }

  /** Cuts a file by what an earlier process found out of it; undefined if it has to be found out again. */
  async #chunkAgain(place: SourcePlace, signal: AbortSignal | undefined): Promise<ChunkedSource | undefined> {
    const { path } = place;
    if (!this.#findings?.has(path)) return undefined;
    signal?.throwIfAborted();
    const written = readWritten(this.#folder, path, this.#filter);
    const findings = written && this.#findings.of(path, written);
    if (!findings) return undefined;
    try {
      const source = chunkFound({ path, text: leaveOut(written.text, findings.secrets.spans), findings });
      this.#keep(place, source);
      await new Promise((resolve) => setImmediate(resolve));
      return source;
    } catch {
      return undefined; // what is kept is not of this text
    }
  }

  #known(place: SourcePlace): ChunkedSource | undefined {
    const key = keyOf(place);
    const known = this.#kept.get(key);
    if (!known) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, known);
    return known.source;
  }

  #keep(place: SourcePlace, source: ChunkedSource | undefined): void {
    if (!source) return;
    const length = source.file.lines.reduce((sum, line) => sum + line.length, 0);
    this.#kept.set(keyOf(place), { source, length });
    this.#length += length;
  }

  #makeRoom(): void {
    for (const [key, { length }] of this.#kept) {
      if (this.#length <= MOST_KEPT) return;
      this.#kept.delete(key);
      this.#length -= length;
    }
  }
}

/** Tells a file with its content from any other. */
function keyOf({ path, content }: SourcePlace): string {
  return `${content}\0${path}`;
}
