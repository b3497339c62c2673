import { FileNames } from '../files/file-names.ts';
import { readSource } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import { conceptsOf } from '../words/concept.ts';
import { CutSources, type SourcePlace } from './cut-sources.ts';
import { findersVersion } from './finders-version.ts';
import { chooseFiles } from './first-pass/choose-files.ts';
import type { FolderWords } from './first-pass/folder-words.ts';
import type { KeptColumns } from './first-pass/kept-columns.ts';
import { FolderIndex, type FolderOptions, type Watching } from './folder-index.ts';
import { KeptFindings } from './kept-findings.ts';
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
  readonly sources: CutSources;
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

  /** A file's text as the last question was answered from it, or else as it is; undefined if it is not searched. */
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

  /** A text that was made of what is known of the folder, without what looks like a secret in it. */
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
      this.#opened = { folder, findings, sources: new CutSources(folder.folder, folder.filter, { findings }) };
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

/** The index of a folder for one question, or for none: read, cut and without its secrets. */
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

  /** Their places among the paths. */
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
