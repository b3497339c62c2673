import { type CutFile, cutFile } from '../cut/cut-file.ts';
import { readSource } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { SecretFilter } from '../secrets/secret-filter.ts';

/** A file, without its secrets, and its pieces. */
export interface CutSource {
  readonly file: SourceFile;
  readonly cut: CutFile;
}

/** A file to be cut, and what tells its content from another. */
export interface SourcePlace {
  readonly path: string;
  readonly content: string;
}

/** How much text stays cut, in characters. */
const MOST_KEPT = 12_000_000;

/** Reads and cuts files; those of the last questions stay cut, as long as their content does not change. */
export class CutSources {
  readonly #folder: string;
  readonly #filter: SecretFilter;
  readonly #kept = new Map<string, { readonly source: CutSource; readonly length: number }>();
  #length = 0;

  constructor(folder: string, filter: SecretFilter) {
    this.#folder = folder;
    this.#filter = filter;
  }

  /** In the same order, without those that are gone. @throws the signal's reason */
  async cut(places: readonly SourcePlace[], signal?: AbortSignal): Promise<CutSource[]> {
    const sources: CutSource[] = [];
    for (const place of places) {
      signal?.throwIfAborted();
      const source = await this.#one(place);
      if (source) sources.push(source);
    }
    this.#makeRoom();
    return sources;
  }

  async #one({ path, content }: SourcePlace): Promise<CutSource | undefined> {
    const key = `${content}\0${path}`;
    const known = this.#kept.get(key);
    if (known) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.source;
    }
    const file = await readSource(this.#folder, path, this.#filter);
    if (!file) return undefined;
    const source = { file, cut: await cutFile(file) };
    const length = file.lines.reduce((sum, line) => sum + line.length, 0);
    this.#kept.set(key, { source, length });
    this.#length += length;
    return source;
  }

  #makeRoom(): void {
    for (const [key, { length }] of this.#kept) {
      if (this.#length <= MOST_KEPT) return;
      this.#kept.delete(key);
      this.#length -= length;
    }
  }
}
