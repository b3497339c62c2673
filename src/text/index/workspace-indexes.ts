import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileNames, layoutOf } from '../files/code-layout.ts';
import { roleOf } from '../files/file-role.ts';
import { readSource } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import { type Concept, conceptsOf, ownTerms } from '../words/concept.ts';
import { termOf } from '../words/terms.ts';
import { ChunkedSources, type SourcePlace } from './chunked-sources.ts';
import type { KeptColumns } from './columns.ts';
import { KeptFindings } from './findings.ts';
import { FolderIndex, type FolderOptions, type FolderWords, type Watching } from './folder-index.ts';
import { Lru } from './lru.ts';
import { buildIndex, type WorkspaceIndex } from './workspace-index.ts';

/** The purpose for which an index is needed. */
export interface Asked {
  /** The text searched for: the same question is answered from the files as they were when it was first asked. */
  readonly question: string;
  /** More words that choose the files, closer to what is wanted than the question's; none by default. */
  readonly closer?: readonly string[];
  /** Texts that may name files, or paths: those are always among the files. */
  readonly naming?: readonly string[];
  /** True if it is about the folder as a whole: its words choose no files then, but the folder's parts do. */
  readonly isOfWhole?: boolean;
}

/** The knowledge of a folder, and the cutter of its files. */
interface Opened {
  readonly folder: FolderIndex;
  readonly findings: KeptFindings;
  readonly sources: ChunkedSources;
}

/** Questions whose files are remembered, and indexes. */
const QUESTIONS = 8;
const INDEXES = 3;
/** In a folder of so many files it is cut ahead what will be chosen if nothing changed. */
const LARGE = 200;
/** Choices of files that are remembered: of a question, and of what is asked below it. */
const CHOICES = 100;

/**
 * The indexes of one folder: for each question the files that are worth a closer look, cut into passages. The same question
 * on the same files has the same index, whatever was asked before; where the same files are chosen, it is the same object.
 */
export class WorkspaceIndexes {
  readonly #folder: string;
  readonly #options: FolderOptions;
  #opened: Opened | undefined;
  readonly #words = new Map<string, FolderWords>();
  /** By what is known of the files: the same for words of two moments between which nothing changed. */
  readonly #chosen = new WeakMap<KeptColumns, Lru<readonly number[]>>();
  readonly #named = new WeakMap<FolderWords, NamedPaths>();
  readonly #indexes = new Lru<{ index?: WorkspaceIndex }>(INDEXES);
  #last: WorkspaceIndex | undefined;

  /** @param folder may be missing until the first question */
  constructor(folder: string, options: FolderOptions = {}) {
    this.#folder = folder;
    this.#options = options;
  }

  /** @throws the system's error for a missing folder, the signal's reason */
  async of(asked: Asked, watching: Watching = {}): Promise<WorkspaceIndex> {
    const { folder, sources } = this.#open();
    try {
      const before = this.#words.has(asked.question) ? undefined : folder.before();
      if (before && before.paths.length >= LARGE) sources.begin(this.#placesOf(asked, before));
      this.#last = await this.#indexFor(asked, watching);
      return this.#last;
    } finally {
      sources.rest();
    }
  }

  /**
   * Returns a file's text as the last question was answered from it, or else as it is; undefined if it is not searched.
   */
  async textOf(path: string): Promise<string | undefined> {
    return (await this.sourceOf(path))?.lines.join('\n');
  }

  /** Returns a file as `textOf` finds it, with what is known of it. */
  async sourceOf(path: string): Promise<SourceFile | undefined> {
    const chosen = this.#last?.files.find((file) => file.path === path);
    if (chosen) return chosen;
    const { folder } = this.#open();
    const words = [...this.#words.values()].at(-1) ?? (await folder.read());
    const row = words.rowOf(path);
    if (row < 0 || !words.isSearched(row)) return undefined;
    return readSource(folder.folder, path, folder.filter);
  }

  /** Returns a text that was made of what is known of the folder, without what looks like a secret in it. */
  async withoutSecrets(text: string): Promise<string> {
    return (await this.#open().folder.filter.hide('overview', text)).text;
  }

  /** Resolves when the index is kept. */
  async saved(): Promise<void> {
    await this.#opened?.folder.saved();
    await this.#opened?.findings.saved();
  }

  async #indexFor(asked: Asked, watching: Watching): Promise<WorkspaceIndex> {
    const words = await this.#wordsFor(asked.question, watching);
    const places = this.#placesOf(asked, words);
    const key = places.map(({ path, content }) => `${path}\0${content}`).join('\0');
    const known = this.#indexes.get(`${words.id}\0${key}`, () => ({}));
    if (!known.index) {
      const { folder, findings, sources } = this.#open();
      const cut = await sources.cut(places, watching.signal);
      known.index = buildIndex(folder.folder, cut, words);
      findings.save(cut);
    }
    return known.index;
  }

  /** The files that are worth a closer look, by path. */
  #placesOf({ question, closer = [], naming = [], isOfWhole = false }: Asked, words: FolderWords): SourcePlace[] {
    const rows = new Set(this.#chosenFor(isOfWhole ? undefined : [...closer, question].join(' '), words));
    for (const row of this.#namedIn([question, ...closer, ...naming], words)) if (words.isSearched(row)) rows.add(row);
    return [...rows]
      .sort((a, b) => a - b)
      .map((row) => ({
        path: words.paths[row] as string,
        content: words.contentOf(row),
      }));
  }

  #open(): Opened {
    if (!this.#opened) {
      const folder = new FolderIndex(this.#folder, this.#options);
      const { allowedFiles = [], finders = findersVersion() } = this.#options;
      const findings = new KeptFindings(folder.cache, folder.folder, allowedFiles, finders);
      this.#opened = { folder, findings, sources: new ChunkedSources(folder.folder, folder.filter, { findings }) };
    }
    return this.#opened;
  }

  async #wordsFor(question: string, watching: Watching): Promise<FolderWords> {
    const known = this.#words.get(question);
    const words = known ?? (await this.#open().folder.read(watching));
    this.#words.delete(question);
    this.#words.set(question, words);
    const oldest = this.#words.keys().next();
    if (this.#words.size > QUESTIONS && !oldest.done) this.#words.delete(oldest.value);
    return words;
  }

  /**
   * A search asks the same words many times.
   * @param text undefined of the folder as a whole
   */
  #chosenFor(text: string | undefined, words: FolderWords): readonly number[] {
    const chosen = this.#chosen.get(words.kept) ?? new Lru(CHOICES);
    this.#chosen.set(words.kept, chosen);
    return chosen.get(text ?? '\0', () => chooseFiles(words, text === undefined ? 'whole' : conceptsOf(text)));
  }

  #namedIn(texts: readonly string[], words: FolderWords): number[] {
    // Most questions name no file.
    if (!texts.some((text) => /[./]/.test(text))) return [];
    const named = this.#named.get(words) ?? new NamedPaths(words);
    this.#named.set(words, named);
    return named.in(texts);
  }
}

/** Returns the index of a folder for one question, or for none: read, cut and without its secrets. */
export async function indexWorkspace(
  folder: string,
  allowedFiles: readonly string[] = [],
  searches?: string,
  question = '',
): Promise<WorkspaceIndex> {
  return new WorkspaceIndexes(folder, { allowedFiles, searches }).of({ question });
}

/** Files that texts name at most, and characters of a text that are read. */
const MOST_NAMED = 20;
const LONGEST_TEXT = 20_000;

interface PathRows {
  readonly paths: readonly string[];
  /** -1 if there is none. */
  rowOf(path: string): number;
}

/** The files of a folder that texts name, by their path or the end of it; as in titles, which end with one. */
class NamedPaths {
  readonly #paths: PathRows;
  #names: FileNames<{ readonly path: string; readonly row: number }> | undefined;

  constructor(paths: PathRows) {
    this.#paths = paths;
  }

  /** Returns their places among the paths. */
  in(texts: readonly string[]): number[] {
    const rows = new Set<number>();
    for (const text of texts) {
      for (const name of namesIn(text.slice(0, LONGEST_TEXT))) {
        const row = this.#find(name);
        if (row !== undefined) rows.add(row);
        if (rows.size === MOST_NAMED) return [...rows];
      }
    }
    return [...rows];
  }

  /** Most names are whole paths, which need no other table than the paths themselves. */
  #find(name: string): number | undefined {
    if (!/[./]/.test(name)) return undefined;
    const row = this.#paths.rowOf(name);
    if (row >= 0) return row;
    this.#names ??= new FileNames(this.#paths.paths.map((path, place) => ({ path, row: place })));
    return this.#names.find(name)?.row;
  }
}

function* namesIn(text: string): Generator<string> {
  // A path with a space in it is told by what is around it.
  const place = text.lastIndexOf(' (');
  if (place >= 0 && text.endsWith(')')) yield text.slice(place + 2, -1);
  for (const [word] of text.matchAll(/[\p{L}\p{N}_$@+()[\]./-]{3,300}/gu))
    yield word.replace(/^[.,;:/([-]+|(?<![.,;:/)\]-])[.,;:/)\]-]+$/g, '');
}

/** The bundles that find what is secret, parse and cut, and the grammars. */
const [BUNDLES, GRAMMARS] = [['parse-process.cjs', 'quotes-worker.cjs', 'secrets.cjs'], 'grammars'];

/**
 * Tells apart the programs that find what is in a file: by their own bytes, so that nobody has to think of it. Undefined in a
 * program that was not built, as its parts may change at any time.
 */
export function findersVersion(folder = dirname(fileURLToPath(import.meta.url))): string | undefined {
  const hash = createHash('sha256').update(process.version);
  try {
    const grammars = readdirSync(join(folder, GRAMMARS)).sort();
    for (const file of [...BUNDLES, ...grammars.map((name) => join(GRAMMARS, name))])
      hash.update(`\0${file}\0`).update(readFileSync(join(folder, file)));
    return hash.digest('base64url');
  } catch {
    return undefined;
  }
}

/** The amount of text cut and ranked for one question, in bytes. A folder with less, and few files, is taken whole. */
export interface Room {
  readonly whole: number;
  readonly files: number;
  readonly chosen: number;
}

// Each file costs as much as a few kilobytes of text, however small it is.
const ROOM: Room = { whole: 4_000_000, files: 3000, chosen: 300_000 };

/** Of files that say what the folder is: read for every question. */
const OF_OVERVIEW = 120_000;
const MOST_OVERVIEW = 16;
/** Parts of the whole that are shown, and some more. */
const MOST_PARTS = 12;
const INTRODUCES = /(?:^|\/)(?:index|overview|doc|mod|lib|__init__)\.\w+$/i;
const [K, B] = [1.2, 0.5];
const SYNONYM = 0.35;
/** Tests and documents tell where to look, but are not the answer. */
const OF_ROLE = { source: 1, config: 0.5, docs: 0.6, test: 0.5 } as const;
const ASKS_FOR = { test: ['test', 'tests', 'spec'], docs: ['documentation', 'docs', 'readme', 'guide'] } as const;
/** Files that are a share of the room each would leave none for others. */
const LARGEST_SHARE = 0.25;

/**
 * The files of a folder that are worth a closer look for a question, as rows in the order of paths: those that score best
 * until there is no more room, and those that say what the folder is.
 * @param concepts those of the question; or that it is about the whole, whatever its words: then files of each larger part
 */
export function chooseFiles(words: FolderWords, concepts: readonly Concept[] | 'whole', room: Room = ROOM): number[] {
  const all = [...words.paths.keys()].filter((row) => words.isSearched(row));
  const isSmall = (rows: readonly number[]): boolean =>
    rows.length <= room.files && sum(rows, (row) => words.sizeOf(row)) <= room.whole;
  if (isSmall(all)) return all;
  // Large tables of data have every word, and would leave no room for what is said with them.
  const isTable = (row: number): boolean =>
    words.sizeOf(row) > LARGEST_SHARE * room.chosen && roleOf(words.paths[row] as string) === 'config';
  const searched = all.filter((row) => !isTable(row));
  if (isSmall(searched)) return searched;
  const chosen = new Set<number>();
  let left = room.chosen;
  const take = (row: number): void => {
    chosen.add(row);
    left -= words.sizeOf(row);
  };
  for (const row of overviewOf(words, searched)) take(row);
  if (concepts === 'whole') {
    for (const row of ofParts(words, searched, left)) take(row);
    return [...chosen].sort((a, b) => a - b);
  }
  for (const row of ranked(words, searched, concepts)) {
    const size = words.sizeOf(row);
    if (chosen.has(row) || size > left || (size > LARGEST_SHARE * room.chosen && chosen.size > MOST_OVERVIEW)) continue;
    take(row);
  }
  return [...chosen].sort((a, b) => a - b);
}

/** Files of each of the larger parts, those nearest to its top: each part has the same room. */
function ofParts(words: FolderWords, searched: readonly number[], room: number): number[] {
  const files = searched.map((row) => ({ row, path: words.paths[row] as string, size: words.sizeOf(row) }));
  const { parts, partOf } = layoutOf(files);
  // A folder of prose consists of its documents.
  const role = parts.length > 0 ? 'source' : 'docs';
  const groups = Map.groupBy(
    files.filter(({ path }) => roleOf(path) === role),
    ({ path }) => (role === 'docs' ? '' : partOf(path)),
  );
  const larger = role === 'docs' ? [''] : parts.slice(0, MOST_PARTS).map(({ path }) => path);
  let left = room;
  return larger.flatMap((part, place) => {
    const own = (groups.get(part) ?? []).toSorted(byDepth);
    let share = left / (larger.length - place);
    const fitting = own.filter(({ size }) => {
      const fits = size <= share;
      if (fits) share -= size;
      return fits;
    });
    // A part of which nothing is read could not be shown.
    const smallest = own.toSorted((a, b) => a.size - b.size).slice(0, 1);
    const taken = fitting.length > 0 ? fitting : smallest.filter(({ size }) => size <= room);
    left = Math.max(0, left - taken.reduce((sum, { size }) => sum + size, 0));
    const readme = words.rowOf(`${part}README.md`);
    return [...(searched.includes(readme) ? [readme] : []), ...taken.map(({ row }) => row)];
  });
}

type Placed = Readonly<{ path: string; size: number }>;

/** Orders files: those that introduce a part, then the nearest to its top, and there the largest. */
function byDepth(a: Placed, b: Placed): number {
  const introduces = ({ path }: Placed): number => Number(INTRODUCES.test(path));
  const depth = ({ path }: Placed): number => path.split('/').length;
  return depth(a) - depth(b) || introduces(b) - introduces(a) || b.size - a.size || (a.path < b.path ? -1 : 1);
}

/** Best first; ties by path. */
function ranked(words: FolderWords, searched: readonly number[], concepts: readonly Concept[]): number[] {
  const all = searched.length;
  const mean = sum(searched, (row) => words.totalOf(row)) / Math.max(1, all);
  const scores = new Float64Array(words.paths.length);
  const covered = new Float64Array(words.paths.length);
  words.postings(concepts.flatMap((concept) => [...ownTerms(concept), ...concept.synonyms]));
  let weights = 0;
  for (const concept of concepts) {
    const best = new Map<number, number>();
    const own = ownTerms(concept);
    const owners = new Set<number>();
    for (const word of [...own, ...concept.synonyms]) {
      const factor = own.includes(word) ? 1 : SYNONYM;
      const { rows, counts } = words.postings([word])[0] ?? { rows: [], counts: [] };
      rows.forEach((row, place) => {
        const often = counts[place] as number;
        const norm = K * (1 - B + (B * words.totalOf(row)) / mean);
        const worth = (factor * often * (K + 1)) / (often + norm);
        if (worth > (best.get(row) ?? 0)) best.set(row, worth);
        if (factor === 1) owners.add(row);
      });
    }
    if (best.size === 0) continue;
    const having = owners.size > 0 ? owners.size : best.size;
    const weight = Math.log(1 + (all - having + 0.5) / (having + 0.5));
    weights += weight;
    for (const [row, worth] of best) {
      scores[row] = (scores[row] as number) + weight * worth;
      covered[row] = (covered[row] as number) + weight * Math.min(1, worth);
    }
  }
  const wanted = askedFor(concepts);
  const rows = searched.filter((row) => (scores[row] as number) > 0);
  for (const row of rows) {
    const path = words.paths[row] as string;
    const role = roleOf(path);
    const factor = wanted.has(role) ? 1 : /\.d\.[cm]?ts$|\.pyi$/.test(path) ? 0.5 : OF_ROLE[role];
    scores[row] = (scores[row] as number) * factor * (0.3 + (0.7 * (covered[row] as number)) / weights);
  }
  return rows.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
}

/** Roles that a question is about. */
function askedFor(concepts: readonly Concept[]): ReadonlySet<string> {
  const asked = new Set(concepts.flatMap((concept) => ownTerms(concept)));
  const roles = Object.entries(ASKS_FOR).filter(([, names]) => names.some((name) => asked.has(termOf(name) ?? name)));
  return new Set(roles.map(([role]) => role));
}

const OVERVIEW =
  /^(readme(\.(md|rst|txt|adoc|markdown))?|package\.json|pyproject\.toml|setup\.(py|cfg)|cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|composer\.json|gemfile|makefile|cmakelists\.txt|architecture\.md|contributing\.md|(main|index|app|cli|server|lib|mod|__init__|__main__)\.(c|cc|cpp|go|java|[cm]?js|[cm]?ts|py|rb|rs|php|cs))$/i;

/** README, manifests and entry points, the closest to the top first. */
function overviewOf(words: FolderWords, searched: readonly number[]): number[] {
  const rows = searched.filter((row) => OVERVIEW.test(posix.basename(words.paths[row] as string)));
  const depth = new Map(rows.map((row) => [row, (words.paths[row] as string).split('/').length]));
  rows.sort((a, b) => (depth.get(a) ?? 0) - (depth.get(b) ?? 0) || a - b);
  let left = OF_OVERVIEW;
  return rows.slice(0, MOST_OVERVIEW).filter((row) => {
    const size = words.sizeOf(row);
    if (size > left) return false;
    left -= size;
    return true;
  });
}

function sum(rows: readonly number[], of: (row: number) => number): number {
  let all = 0;
  for (const row of rows) all += of(row);
  return all;
}
