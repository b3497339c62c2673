import { isOpen } from '../cut/parser.ts';
import { languageOf } from '../files/languages.ts';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import { type CutSource, cutOne } from './cut-one.ts';
import { type CutOptions, type CutsBeside, CutThread } from './cut-thread.ts';

/** A file to be cut, and what tells its content from another. */
export interface SourcePlace {
  readonly path: string;
  readonly content: string;
}

/** How much text stays cut, in characters. */
const MOST_KEPT = 12_000_000;
/** Fewer files are cut before a thread has started. */
const WORTH_A_THREAD = 30;
/** Fewer files are left to the thread, rather than that their grammar is loaded here as well. */
const WORTH_A_GRAMMAR = 150;
/** Files that the thread is asked for at once: so that it need not wait until this one has a moment. */
const AHEAD = 4;

/** Reads and cuts files; those of the last questions stay cut, as long as their content does not change. */
export class CutSources {
  readonly #options: CutOptions;
  readonly #filter: SecretFilter;
  readonly #kept = new Map<string, { readonly source: CutSource; readonly length: number }>();
  #length = 0;
  readonly #startThread: () => CutsBeside;
  #thread: CutsBeside | undefined;

  constructor(options: CutOptions, filter: SecretFilter, startThread = (): CutsBeside => new CutThread(options)) {
    this.#options = options;
    this.#filter = filter;
    this.#startThread = startThread;
  }

  /** Starts the thread, while it is still being found out which files are to be cut. @param like most of them, probably */
  getReady(like: string): void {
    this.#thread ??= this.#startThread();
    this.#thread.getReady(like);
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

  /** Ends the thread. */
  async rest(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.close();
  }

  /** From both ends: here, and in a thread beside; the result is the same wherever each was cut. */
  async #cutAll(paths: readonly string[], signal: AbortSignal | undefined): Promise<(CutSource | undefined)[]> {
    const all: (CutSource | undefined)[] = [];
    const order = byGrammar(paths);
    let [from, to] = [0, order.length];
    const cutHere = async (at: number): Promise<void> => {
      signal?.throwIfAborted();
      all[at] = await cutOne(this.#options.folder, paths[at] as string, this.#filter);
      // Lets in what the thread has cut, and whoever wants it to stop.
      await new Promise((resolve) => setImmediate(resolve));
    };
    const common = languageOf(paths[order.at(-1) ?? 0] ?? '');
    const isLeft = (at: number): boolean =>
      thread !== undefined &&
      common !== undefined &&
      to - from <= WORTH_A_GRAMMAR &&
      languageOf(paths[at] as string) === common &&
      !isOpen(common);
    const here = async (): Promise<void> => {
      while (from < to && !isLeft(order[from] as number)) await cutHere(order[from++] as number);
    };
    if (paths.length >= WORTH_A_THREAD) this.#thread ??= this.#startThread();
    let thread = this.#thread;
    const beside = async (): Promise<void> => {
      while (thread && from < to) {
        const at = order[--to] as number;
        const cut = await thread.cut(paths[at] as string).then(
          (source) => ({ source }),
          () => undefined,
        );
        if (cut) all[at] = cut.source;
        else {
          // Without the thread it takes longer, and no more.
          thread = undefined;
          await cutHere(at);
        }
      }
    };
    await Promise.all([here(), ...Array.from({ length: AHEAD }, beside)]);
    await here();
    signal?.throwIfAborted();
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

/**
 * The places of paths, with the most common grammar last: a grammar takes a while to load, and so few are needed by both
 * who cut from the ends.
 */
function byGrammar(paths: readonly string[]): number[] {
  const grammars = paths.map((path) => languageOf(path)?.grammar ?? '');
  const counts = new Map<string, number>([['', 0]]);
  for (const grammar of grammars) if (grammar !== '') counts.set(grammar, (counts.get(grammar) ?? 0) + 1);
  const countOf = (at: number): number => counts.get(grammars[at] ?? '') ?? 0;
  return [...paths.keys()].sort(
    (a, b) => countOf(a) - countOf(b) || ((grammars[a] ?? '') < (grammars[b] ?? '') ? -1 : 1),
  );
}
