import { isOpen } from '../cut/parse/parser.ts';
import { languageOf } from '../files/languages.ts';
import { readWritten } from '../files/read-source.ts';
import { leaveOut } from '../secrets/leave-out.ts';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import { CutList, keyOf, type SourcePlace } from './cut-list.ts';
import { type CutSource, cutFound, cutOne } from './cut-one.ts';
import { type CutOptions, type CutsBeside, CutThread } from './cut-thread.ts';
import type { KeptFindings } from './kept-findings.ts';

/** How much text stays cut, in characters. */
const MOST_KEPT = 12_000_000;
/** Less text, in bytes, is cut before a thread has started; and as much text as is cut while one file is opened. */
const WORTH_A_THREAD = 100_000;
const OPENING = 3000;
/** Less text, in bytes, is left to the thread, rather than that its grammar is loaded here as well. */
const WORTH_A_GRAMMAR = 150_000;

/** Files that are being cut, and what ends when the thread beside has no more to do with them. */
interface Cutting {
  readonly list: CutList;
  readonly beside: Promise<void>;
}

interface Helpers {
  /** What earlier processes found out of the files. */
  readonly findings?: KeptFindings | undefined;
  readonly startThread?: (() => CutsBeside) | undefined;
}

/** Reads and cuts files; those of the last questions stay cut, as long as their content does not change. */
export class CutSources {
  readonly #options: CutOptions;
  readonly #filter: SecretFilter;
  readonly #kept = new Map<string, { readonly source: CutSource; readonly length: number }>();
  #length = 0;
  readonly #findings: KeptFindings | undefined;
  readonly #startThread: () => CutsBeside;
  #thread: CutsBeside | undefined;
  #begun: Cutting | undefined;

  constructor(options: CutOptions, filter: SecretFilter, { findings, startThread }: Helpers = {}) {
    this.#options = options;
    this.#filter = filter;
    this.#findings = findings;
    this.#startThread = startThread ?? ((): CutsBeside => new CutThread(options));
  }

  /** Starts the thread while it is still being found out what there is to cut, if nothing is known of that yet. */
  getReady(): void {
    if (this.#kept.size === 0 && (this.#findings?.isEmpty ?? true)) this.#thread ??= this.#startThread();
  }

  /** Lets the thread cut what is probably asked for next, while it is still being found out whether it changed. */
  begin(places: readonly SourcePlace[]): void {
    const unknown = places.filter((place) => !this.#kept.has(keyOf(place)) && !this.#findings?.has(place.path));
    if (workOf(unknown) >= WORTH_A_THREAD) this.#begun = this.#share(unknown);
  }

  /** In the same order, without those that are gone. @throws the signal's reason */
  async cut(places: readonly SourcePlace[], signal?: AbortSignal): Promise<CutSource[]> {
    const known: (CutSource | undefined)[] = [];
    for (const place of places) known.push(this.#known(place) ?? (await this.#cutAgain(place, signal)));
    const unknown = places.filter((_, at) => known[at] === undefined);
    const cut = await this.#cutAll(unknown, signal);
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
    this.#begun = undefined;
    await thread?.close();
  }

  /** From both ends: here, and in a thread beside; the result is the same wherever each was cut. */
  async #cutAll(places: readonly SourcePlace[], signal: AbortSignal | undefined): Promise<(CutSource | undefined)[]> {
    const begun = this.#begun;
    this.#begun = undefined;
    begun?.list.limitTo(new Set(places.map(keyOf)));
    const ofBegun = new Set(begun?.list.places.map(keyOf));
    const others = places.filter((place) => !ofBegun.has(keyOf(place)));
    const all = [...(begun ? [begun] : []), this.#share(others)];
    for (const { list } of all) await this.#cutHere(list, signal);
    await Promise.all(all.map(({ beside }) => beside));
    const cut: (CutSource | undefined)[] = [];
    for (const place of places) {
      const list = all.find((one) => one.list.has(place))?.list;
      // Without the thread it takes longer, and no more.
      cut.push(list ? list.get(place) : await this.#cutOne(place, signal));
    }
    signal?.throwIfAborted();
    return cut;
  }

  #share(places: readonly SourcePlace[]): Cutting {
    const list = new CutList(byGrammar(places));
    if (workOf(places) >= WORTH_A_THREAD) this.#thread ??= this.#startThread();
    const beside = places.length === 0 ? undefined : this.#thread?.cut(list);
    return { list, beside: beside?.catch(() => undefined) ?? Promise.resolve() };
  }

  async #cutHere(list: CutList, signal: AbortSignal | undefined): Promise<void> {
    for (const [at, place] of list.places.entries()) {
      if (this.#isLeft(list, at) || !list.take(at)) continue;
      list.add(at, await this.#cutOne(place, signal));
    }
  }

  /** Whether the thread is done with the rest sooner than a grammar is loaded here. */
  #isLeft(list: CutList, at: number): boolean {
    const language = languageOf(list.places[at]?.path ?? '');
    const isLast = language !== undefined && language === languageOf(list.last?.path ?? '');
    return this.#thread !== undefined && isLast && !isOpen(language) && list.left(at) <= WORTH_A_GRAMMAR;
  }

  async #cutOne({ path }: SourcePlace, signal: AbortSignal | undefined): Promise<CutSource | undefined> {
    signal?.throwIfAborted();
    const source = await cutOne(this.#options.folder, path, this.#filter);
    // Lets in what the thread has cut, and whoever wants it to stop.
    await new Promise((resolve) => setImmediate(resolve));
    return source;
  }

  /** Cuts a file by what an earlier process found out of it; undefined if it has to be found out again. */
  async #cutAgain(place: SourcePlace, signal: AbortSignal | undefined): Promise<CutSource | undefined> {
    const { path } = place;
    if (!this.#findings?.has(path)) return undefined;
    signal?.throwIfAborted();
    const written = readWritten(this.#options.folder, path, this.#filter);
    const findings = written && this.#findings.of(path, written);
    if (!findings) return undefined;
    try {
      const source = cutFound({ path, text: leaveOut(written.text, findings.secrets.spans), findings });
      this.#keep(place, source);
      await new Promise((resolve) => setImmediate(resolve));
      return source;
    } catch {
      return undefined; // what is kept is not of this text
    }
  }

  #known(place: SourcePlace): CutSource | undefined {
    const key = keyOf(place);
    const known = this.#kept.get(key);
    if (!known) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, known);
    return known.source;
  }

  #keep(place: SourcePlace, source: CutSource | undefined): void {
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

function workOf(places: readonly SourcePlace[]): number {
  return places.reduce((sum, { size }) => sum + size + OPENING, 0);
}

/**
 * The places with the most common grammar last: a grammar takes a while to load, and so few are needed by both who cut
 * from the ends.
 */
function byGrammar(places: readonly SourcePlace[]): SourcePlace[] {
  const grammars = new Map(places.map((place) => [place, languageOf(place.path)?.grammar ?? '']));
  const counts = new Map<string, number>([['', 0]]);
  for (const grammar of grammars.values()) if (grammar !== '') counts.set(grammar, (counts.get(grammar) ?? 0) + 1);
  const grammarOf = (place: SourcePlace): string => grammars.get(place) ?? '';
  const countOf = (place: SourcePlace): number => counts.get(grammarOf(place)) ?? 0;
  return places.toSorted((a, b) => countOf(a) - countOf(b) || (grammarOf(a) < grammarOf(b) ? -1 : 1));
}
