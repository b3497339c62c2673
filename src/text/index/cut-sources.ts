import type { SecretFilter } from '../secrets/secret-filter.ts';
import { type CutSource, cutOne } from './cut-one.ts';
import { type CutOptions, CutThread } from './cut-thread.ts';

/** A file to be cut, and what tells its content from another. */
export interface SourcePlace {
  readonly path: string;
  readonly content: string;
}

/** How much text stays cut, in characters. */
const MOST_KEPT = 12_000_000;
/** Fewer files are cut before a thread has started. */
const WORTH_A_THREAD = 30;
/** Files that the thread gets at a time: few, as they end together with those of this one. */
const AT_ONCE = 3;

/** Reads and cuts files; those of the last questions stay cut, as long as their content does not change. */
export class CutSources {
  readonly #options: CutOptions;
  readonly #filter: SecretFilter;
  readonly #kept = new Map<string, { readonly source: CutSource; readonly length: number }>();
  #length = 0;

  constructor(options: CutOptions, filter: SecretFilter) {
    this.#options = options;
    this.#filter = filter;
  }

  /** In the same order, without those that are gone. @throws the signal's reason */
  async cut(places: readonly SourcePlace[], signal?: AbortSignal): Promise<CutSource[]> {
    const known = places.map((place) => this.#known(place));
    const unknown = places.filter((_, at) => known[at] === undefined);
    const cut = await this.#cutAll(
      unknown.map(({ path }) => path),
      signal,
    );
    for (const [at, place] of unknown.entries()) this.#keep(place, cut[at]);
    let next = 0;
    const all = known.map((source) => source ?? cut[next++]);
    this.#makeRoom();
    return all.filter((source) => source !== undefined);
  }

  /** From both ends: here, and in a thread beside; the result is the same wherever each was cut. */
  async #cutAll(paths: readonly string[], signal: AbortSignal | undefined): Promise<(CutSource | undefined)[]> {
    const all: (CutSource | undefined)[] = [];
    let [from, to] = [0, paths.length];
    const cutHere = async (at: number): Promise<void> => {
      signal?.throwIfAborted();
      all[at] = await cutOne(this.#options.folder, paths[at] as string, this.#filter);
      // Lets in what the thread has cut, and whoever wants it to stop.
      await new Promise((resolve) => setImmediate(resolve));
    };
    const here = async (): Promise<void> => {
      while (from < to) await cutHere(from++);
    };
    const thread = paths.length >= WORTH_A_THREAD ? new CutThread(this.#options) : undefined;
    const beside = async (): Promise<void> => {
      let works = thread;
      while (works && from < to) {
        const [start, end] = [Math.max(from, to - AT_ONCE), to];
        to = start;
        const part = await works.cut(paths.slice(start, end)).catch(() => undefined);
        // Without the thread it takes longer, and no more.
        if (!part) works = undefined;
        for (let at = start; at < end; at++)
          if (part) all[at] = part[at - start];
          else await cutHere(at);
      }
    };
    try {
      await Promise.all([here(), beside()]);
      signal?.throwIfAborted();
    } finally {
      await thread?.close();
    }
    return all;
  }

  #known({ path, content }: SourcePlace): CutSource | undefined {
    const key = `${content}\0${path}`;
    const known = this.#kept.get(key);
    if (!known) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, known);
    return known.source;
  }

  #keep({ path, content }: SourcePlace, source: CutSource | undefined): void {
    if (!source) return;
    const length = source.file.lines.reduce((sum, line) => sum + line.length, 0);
    this.#kept.set(`${content}\0${path}`, { source, length });
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
