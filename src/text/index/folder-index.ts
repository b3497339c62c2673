import { createHash } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';
import { type FolderFiles, surveyFiles } from '../files/list-files.ts';
import { SkipCounts, whyUnreadable } from '../files/skipped.ts';
import { SecretFilter } from '../secrets/secret-filter.ts';
import { CacheFolder } from './first-pass/cache-folder.ts';
import { type Columns, columnsOf, emptyColumns, type Row, STATES } from './first-pass/columns.ts';
import { FolderWords } from './first-pass/folder-words.ts';
import { type KeptColumns, readColumns, writeColumns } from './first-pass/kept-columns.ts';
import { scanInThreads } from './first-pass/scan-in-threads.ts';
import { type Salt, wordsVersion } from './first-pass/term-hash.ts';

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
