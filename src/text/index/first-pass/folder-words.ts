import type { Skipped } from '../../files/skipped.ts';
import { STATES, startOf } from './columns.ts';
import type { KeptColumns } from './kept-columns.ts';
import { type Salt, termHash } from './term-hash.ts';

/** The files that have a term: their rows, and how often each has it. */
export interface Postings {
  readonly rows: readonly number[];
  readonly counts: readonly number[];
}

let last = 0;

/** Which words each file of a folder has, at one moment. */
export class FolderWords {
  /** Tells one moment from another, within a process. */
  readonly id = ++last;
  /** Of every file that is not left out by its path, sorted. */
  readonly paths: readonly string[];
  /** The number of those that are searched. */
  readonly fileCount: number;
  /** Counts of what is not searched, and why; the most common reason first. */
  readonly skipped: readonly Skipped[];
  /** The files and what is known of each; the same object as long as nothing changed. */
  readonly kept: KeptColumns;
  readonly #salt: Salt;
  readonly #known: Map<string, Postings>;

  /** @param before of an earlier moment: if nothing changed, what was looked up then is known */
  constructor(kept: KeptColumns, salt: Salt, skipped: readonly Skipped[], before?: FolderWords) {
    this.kept = kept;
    this.#salt = salt;
    this.paths = kept.paths;
    this.skipped = skipped;
    this.#known = before?.kept === kept ? before.#known : new Map();
    this.fileCount = kept.columns.states.reduce((count, state) => count + (STATES[state] === 'words' ? 1 : 0), 0);
  }

  isSearched(row: number): boolean {
    return STATES[this.kept.columns.states[row] as number] === 'words';
  }

  /** In bytes. */
  sizeOf(row: number): number {
    return this.kept.columns.sizes[row] as number;
  }

  /** Every file that is searched, by path. */
  searchedFiles(): { readonly path: string; readonly size: number; readonly row: number }[] {
    return this.paths.flatMap((path, row) => (this.isSearched(row) ? { path, size: this.sizeOf(row), row } : []));
  }

  /** Returns the number of lines of the searched and the generated files, by path. */
  linesByPath(): ReadonlyMap<string, number> {
    const { lines } = this.kept.columns;
    return new Map(this.paths.flatMap((path, row) => (lines[row] ? [[path, lines[row]] as const] : [])));
  }

  /** Returns the number of terms in a file. */
  totalOf(row: number): number {
    return this.kept.columns.totals[row] as number;
  }

  /** Tells one content of a file from another. */
  contentOf(row: number): string {
    const { contents } = this.kept.columns;
    return `${contents[2 * row]}-${contents[2 * row + 1]}`;
  }

  /** The row of a path; -1 if there is none. */
  rowOf(path: string): number {
    let [low, high] = [0, this.paths.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.paths[middle] as string;
      if (found === path) return middle;
      if (found < path) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Tells whether any file has a term, in its text or its path. */
  present(term: string): boolean {
    return this.frequency(term) > 0;
  }

  /** Counts the files that have a term. */
  frequency(term: string): number {
    return this.postings([term])[0]?.rows.length ?? 0;
  }

  /** The files that have each of some terms: all are looked for at once, and remembered. */
  postings(terms: readonly string[]): Postings[] {
    const unknown = [...new Set(terms)].filter((term) => !this.#known.has(term));
    if (unknown.length > 0) this.#lookUp(unknown);
    const found = terms.map((term) => this.#known.get(term) ?? { rows: [], counts: [] });
    if (this.#known.size > MOST_KNOWN) this.#known.clear();
    return found;
  }

  #lookUp(wanted: readonly string[]): void {
    const { columns } = this.kept;
    const { terms, counts, ends } = columns;
    const maybe = new Uint8Array(1 << 16);
    const found = new Map<number, { rows: number[]; counts: number[] }>();
    for (const term of wanted) {
      const hash = termHash(term, this.#salt);
      maybe[hash & 0xffff] = 1;
      const postings = found.get(hash) ?? { rows: [], counts: [] };
      found.set(hash, postings);
      this.#known.set(term, postings);
    }
    for (let row = 0; row < ends.length; row++) {
      const end = ends[row] as number;
      for (let at = startOf(columns, row); at < end; at++) {
        const hash = terms[at] as number;
        if (maybe[hash & 0xffff] === 0) continue;
        const postings = found.get(hash);
        if (!postings) continue;
        postings.rows.push(row);
        postings.counts.push(counts[at] as number);
      }
    }
  }
}

/** Terms whose files are remembered. */
const MOST_KNOWN = 2000;
