import { createHash } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';
import { type FolderFiles, surveyFiles } from '../files/list-files.ts';
import { SkipCounts, type Skipped, whyUnreadable } from '../files/skipped-files.ts';
import { SecretFilter } from '../secrets/secret-filter.ts';
import { CacheFolder, type Salt, termHash, wordsVersion } from './cache-folder.ts';
import {
  type Columns,
  columnsOf,
  emptyColumns,
  type KeptColumns,
  type Row,
  readColumns,
  STATES,
  startOf,
  writeColumns,
} from './columns.ts';
import { scanInThreads } from './scan-files.ts';

/** Options of an index: what of a folder is indexed, and where the index is kept. */
export interface FolderOptions {
  /** As for `SecretFilter`. */
  readonly allowedFiles?: readonly string[] | undefined;
  /** As for `listFiles`. */
  readonly searches?: string | undefined;
  /** Null if nothing is kept; by default in the cache folder of this user. */
  readonly cache?: CacheFolder | null | undefined;
  /** Of what finds pieces and secrets in files; by default that of this program. */
  readonly finders?: string | undefined;
}

/** The progress of an index. */
interface IndexProgress {
  readonly done: number;
  readonly files: number;
}

export interface Watching {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
}

/** Without a cache folder, a salt is as good as any other. */
const ANY_SALT: Salt = { first: 0x5bd1e995, second: 0x27d4eb2f };
/** Files looked at between two looks at what else has to be done. */
const AT_ONCE = 2000;

/**
 * The first pass over a folder: which words each file has. Only what changed since the last time is read, in threads of
 * their own; the rest was kept in the cache folder, which holds no text, only salted hashes of words.
 */
export class FolderIndex {
  /** The real, absolute path of the folder. */
  readonly folder: string;
  readonly filter: SecretFilter;
  readonly #searches: string | undefined;
  /** Where the index is kept, if anywhere. */
  readonly cache: CacheFolder | undefined;
  readonly #salt: Salt;
  readonly #about: string;
  #kept: KeptColumns | undefined;
  #words: FolderWords | undefined;
  #saving: Promise<unknown> = Promise.resolve();

  /** @throws the system's error for a folder that is not there */
  constructor(folder: string, { allowedFiles = [], searches, cache }: FolderOptions = {}) {
    this.folder = realpathSync.native(folder);
    this.filter = new SecretFilter(folder, allowedFiles);
    this.#searches = searches;
    this.cache = cache === undefined ? CacheFolder.open() : (cache ?? undefined);
    this.#salt = this.cache?.salt ?? ANY_SALT;
    this.#about = JSON.stringify([this.folder, allowedFiles, searches ?? '', this.#salt, wordsVersion()]);
  }

  /** Returns what is known of the folder as it is now. @throws the signal's reason */
  async read(watching: Watching = {}): Promise<FolderWords> {
    const { signal } = watching;
    const listed = await surveyFiles(this.folder, this.filter, this.#searches, signal);
    signal?.throwIfAborted();
    this.#kept ??= this.#readKept();
    const before = this.#kept;
    const rows = await unchangedRows(this.folder, listed, before, signal);
    if (!isAll(rows, listed.paths, before)) {
      this.#kept = await this.#readChanged(listed.paths, rows, before, watching);
      this.#save();
    }
    const skipped = skippedIn(this.folder, listed, this.#kept.columns);
    const isSame = isSameText(before, this.#kept) && JSON.stringify(skipped) === JSON.stringify(this.#words?.skipped);
    if (!this.#words || !isSame) this.#words = new FolderWords(this.#kept, this.#salt, skipped, this.#words);
    return this.#words;
  }

  async #readChanged(
    paths: readonly string[],
    rows: Int32Array,
    before: KeptColumns,
    { signal, onProgress }: Watching,
  ): Promise<KeptColumns> {
    const missing = paths.filter((_, place) => rows[place] === CHANGED);
    const known = paths.length - missing.length;
    const onDone = (files: number): void => onProgress?.({ done: known + files, files: paths.length });
    if (missing.length > 0) onDone(0);
    const scanned = await scanInThreads({ folder: this.folder, paths: missing, salt: this.#salt }, { signal, onDone });
    const found = rowsOf(scanned);
    let next = 0;
    const columns = columnsOf(
      Array.from(rows, (row) => {
        if (row === BEHIND_LINK) return { columns: UNREADABLE, row: 0 };
        return row === CHANGED ? (found[next++] as Row) : { columns: before.columns, row };
      }),
    );
    return { paths, columns };
  }

  /** Returns what was known when it was last looked at, in this process or another; undefined if nothing was. */
  before(): FolderWords | undefined {
    this.#kept ??= this.#readKept();
    if (this.#kept.paths.length === 0) return undefined;
    this.#words ??= new FolderWords(this.#kept, this.#salt, []);
    return this.#words;
  }

  /** Resolves when what was read last is kept. */
  async saved(): Promise<void> {
    await this.#saving;
  }

  #readKept(): KeptColumns {
    const bytes = this.cache?.read(this.#name);
    return (bytes && readColumns(bytes, this.#about)) ?? { paths: [], columns: emptyColumns(0, 0) };
  }

  /** In the background: whoever asks does not wait for it. */
  #save(): void {
    if (!this.cache || !this.#kept) return;
    const [cache, kept] = [this.cache, this.#kept];
    this.#saving = this.#saving.then(() =>
      // Columns that were replaced in between need not be written.
      kept === this.#kept ? cache.write(this.#name, writeColumns(kept, this.#about)) : undefined,
    );
  }

  get #name(): string {
    return `${createHash('sha256').update(this.#about).digest('hex').slice(0, 32)}.index`;
  }
}

/** Not a row of what is kept: the file has to be read, or is behind a link. */
const [CHANGED, BEHIND_LINK] = [-1, -2];

/** Of each path its row in what is kept, if its file did not change since. */
async function unchangedRows(
  folder: string,
  { paths, mayPassLinks }: FolderFiles,
  kept: KeptColumns,
  signal: AbortSignal | undefined,
): Promise<Int32Array> {
  const isReal = mayPassLinks ? realFolders(folder) : () => true;
  const rows = new Int32Array(paths.length);
  let row = 0;
  for (const [place, path] of paths.entries()) {
    if (place % AT_ONCE === AT_ONCE - 1) {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }
    while (row < kept.paths.length && (kept.paths[row] as string) < path) row++;
    const isKept = kept.paths[row] === path;
    if (!isReal(path)) rows[place] = BEHIND_LINK;
    else rows[place] = isKept && isUnchanged(`${folder}/${path}`, kept.columns, row) ? row : CHANGED;
  }
  return rows;
}

/** Tells whether that is all that is kept, so that nothing changed. */
function isAll(rows: Int32Array, paths: readonly string[], kept: KeptColumns): boolean {
  const isSame = (row: number, place: number): boolean =>
    row === place ||
    (row === BEHIND_LINK &&
      paths[place] === kept.paths[place] &&
      STATES[kept.columns.states[place] as number] === 'unreadable');
  return rows.length === kept.paths.length && rows.every(isSame);
}

function isUnchanged(file: string, { sizes, changed, touched }: Columns, row: number): boolean {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    return (
      stats !== undefined &&
      stats.size === sizes[row] &&
      stats.mtimeMs === changed[row] &&
      stats.ctimeMs === touched[row]
    );
  } catch {
    return false;
  }
}

const UNREADABLE: Columns = { ...emptyColumns(1, 0), states: Uint8Array.of(STATES.indexOf('unreadable')) };

/** Tells whether a path leads through no link. */
function realFolders(folder: string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const isReal = (above: string): boolean => {
    let isOne = known.get(above);
    if (isOne === undefined) {
      isOne = above === '' || (isReal(folderOf(above)) && isFolder(`${folder}/${above}`));
      known.set(above, isOne);
    }
    return isOne;
  };
  return (path) => isReal(folderOf(path));
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function isFolder(place: string): boolean {
  try {
    return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

/** Tells whether two moments have the same files and content: those who ask about both need not tell them apart. */
function isSameText(a: KeptColumns, b: KeptColumns): boolean {
  if (a === b) return true;
  const [one, other] = [a.columns.contents, b.columns.contents];
  return (
    one.length === other.length &&
    one.every((part, place) => part === other[place]) &&
    a.paths.every((path, place) => path === b.paths[place])
  );
}

function rowsOf(all: readonly Columns[]): Row[] {
  return all.flatMap((columns) => Array.from(columns.states, (_, row) => ({ columns, row })));
}

function skippedIn(folder: string, { paths, skipped }: FolderFiles, { states }: Columns): SkipCounts['list'] {
  const counts = new SkipCounts();
  for (const { path, reason } of skipped) counts.add(reason, path);
  states.forEach((state, row) => {
    const reason = STATES[state];
    const path = paths[row] as string;
    if (reason === 'unreadable') counts.add(whyUnreadable(`${folder}/${path}`), path);
    else if (reason !== undefined && reason !== 'words') counts.add(reason, path);
  });
  return counts.list;
}

/** The files that have a term: their rows, and how often each has it. */
export interface Postings {
  readonly rows: readonly number[];
  readonly counts: readonly number[];
}

let lastId = 0;

/** Which words each file of a folder has, at one moment. */
export class FolderWords {
  /** Tells one moment from another, within a process. */
  readonly id = ++lastId;
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

  /** Returns every file that is searched, by path. */
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

  /** Returns the row of a path; -1 if there is none. */
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

  /** Returns the files that have each of some terms: all are looked for at once, and remembered. */
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
