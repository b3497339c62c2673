import type { ChunkedFile, Passage, Silence } from '../chunk/chunk-file.ts';
import { oneLine } from '../chunk/markdown.ts';
import { type CodeLayout, FileNames, Imports, layoutOf } from '../files/code-layout.ts';
import type { Skipped } from '../files/skipped-files.ts';
import type { SourceFile } from '../files/source-file.ts';
import { PassageSearch } from '../rank/passage-search.ts';
import type { ChunkedSource } from './findings.ts';
import type { FolderWords } from './folder-index.ts';

/**
 * Everything known about a workspace for one question: the files that are worth a closer look (in small workspaces all of
 * them), cut into passages, how they refer to one another, and which words all the others have.
 */
export interface WorkspaceIndex {
  /** The real, absolute path of the folder. */
  readonly workspace: string;
  /** By path. */
  readonly files: readonly SourceFile[];
  /** The number of files that were searched by their words: these and all others. */
  readonly fileCount: number;
  /** Counts of what was not searched at all, and why; the most common reason first. */
  readonly skipped: readonly Skipped[];
  /** Counts the files among all that have a term, in their text or path. */
  frequency(term: string): number;
  /** Tells whether any file has one of these terms. */
  hasAny(terms: readonly string[]): boolean;
  readonly passages: readonly Passage[];
  readonly search: PassageSearch;
  /** Returns the file that people mean by a name; see `FileNames`. */
  fileNamed(name: string): SourceFile | undefined;
  /** Returns the passages of a name in a file, as in a topic's title. */
  passagesNamed(name: string, path: string): readonly Passage[];
  /** Returns the passages directly inside a passage. */
  partsOf(passage: Passage): readonly Passage[];
  readonly names: Names;
  isComment(file: SourceFile, row: number): boolean;
  /** Returns the layout of the code of all its files, whichever were read. */
  layout(): CodeLayout;
  /** Every file that is searched, whichever were read; and how many lines these have, and the generated ones. */
  listing(): { readonly searched: readonly string[]; readonly lines: ReadonlyMap<string, number> };
}

/**
 * Indexes files of a workspace that were read and cut.
 * @param folder its real, absolute path
 * @param words what is known of all its files
 */
export function buildIndex(folder: string, sources: readonly ChunkedSource[], words: FolderWords): WorkspaceIndex {
  const files = sources.map(({ file }) => file);
  const passages: Passage[] = [];
  const silent = new Map<SourceFile, Silence>();
  const imports = new Map<SourceFile, readonly string[]>();
  for (const { file, cut } of sources) {
    silent.set(file, cut.silent);
    imports.set(file, cut.imports);
    addPassages(file, cut, passages);
  }
  const byName = groupBy(passages, ({ name, file }) => keyOf(name, file.path));
  const definitions = groupBy(passages, ({ identifier }) => identifier);
  const fileNames = new FileNames(files);
  const uses = findUses(passages, definitions, (file) => silent.get(file));
  const names = new Names(passages, definitions, uses, new Imports(imports));
  const isComment = (file: SourceFile, row: number): boolean => silent.get(file)?.isComment(row) ?? false;
  let layout: CodeLayout | undefined;
  return {
    workspace: folder,
    files,
    fileCount: words.fileCount,
    skipped: words.skipped,
    frequency: (term) => words.frequency(term),
    hasAny: (terms) => words.postings(terms).some(({ rows }) => rows.length > 0),
    passages,
    search: new PassageSearch(passages, { names, isComment }, words),
    fileNamed: (name) => fileNames.find(name),
    passagesNamed: (name, path) => byName.get(keyOf(name, path)) ?? [],
    partsOf: (passage) => partsOf(passage, passages),
    names,
    isComment,
    layout: () => {
      layout ??= layoutOf(words.searchedFiles());
      return layout;
    },
    listing: () => ({ searched: words.searchedFiles().map(({ path }) => path), lines: words.linesByPath() }),
  };
}

function addPassages(file: SourceFile, { pieces }: ChunkedFile, passages: Passage[]): void {
  const open: { passage: Passage; inner: [number, number][] }[] = [];
  for (const piece of pieces) {
    while (open.length > 0 && (open.at(-1)?.passage.end ?? 0) < piece.start) open.pop();
    const around = open.at(-1);
    const inner: [number, number][] = [];
    const passage: Passage = {
      ...piece,
      id: passages.length,
      file,
      inner,
      ...(around ? { owner: around.passage.id } : {}),
    };
    around?.inner.push([piece.start, Math.min(piece.end, around.passage.end)]);
    passages.push(passage);
    open.push({ passage, inner });
  }
}

/** A title is one line: a name or path with other white space is found by its normalized form. */
function keyOf(name: string, path: string): string {
  return `${oneLine(path)}\0${oneLine(name)}`;
}

function partsOf(passage: Passage, passages: readonly Passage[]): Passage[] {
  const parts: Passage[] = [];
  for (let id = passage.id + 1; id < passages.length; id++) {
    const one = passages[id];
    if (!one || one.file !== passage.file || one.start > passage.end) break;
    if (one.owner === passage.id) parts.push(one);
  }
  return parts;
}

function groupBy(passages: readonly Passage[], key: (passage: Passage) => string | undefined): Map<string, Passage[]> {
  const groups = new Map<string, Passage[]>();
  for (const passage of passages) {
    const name = key(passage);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(passage);
    else groups.set(name, [passage]);
  }
  return groups;
}

/** A name with more definitions than this is ambiguous. */
const MAX_MEANINGS = 4;

/** The references between the symbols of a workspace, as far as can be told without a compiler. */
class Names {
  readonly #passages: readonly Passage[];
  readonly #definitions: ReadonlyMap<string, readonly Passage[]>;
  readonly #uses: Uses;
  readonly #imports: Imports;

  constructor(
    passages: readonly Passage[],
    definitions: ReadonlyMap<string, readonly Passage[]>,
    uses: Uses,
    imports: Imports,
  ) {
    this.#imports = imports;
    this.#passages = passages;
    this.#definitions = definitions;
    this.#uses = uses;
  }

  /** Tells whether any symbol has this name; of `Queue#push` the last part counts. */
  has(name: string): boolean {
    return this.#definitions.has(name.split(/[#.]|::/).at(-1) ?? name);
  }

  /** Returns the passages that are called so, by path and line. */
  definitionsOf(identifier: string): readonly Passage[] {
    return this.#definedAs(identifier);
  }

  /** The symbols that share a passage's name and can be meant where it can, including itself. */
  namesakes(passage: Passage): readonly Passage[] {
    const { identifier } = passage;
    if (identifier === undefined) return [];
    if (this.#isLocal(passage)) return [passage];
    return this.#definedAs(identifier).filter((other) => !this.#isLocal(other) && speakAlike(other, passage));
  }

  /** Returns where a symbol may be named. By path and line. */
  usesOf(passage: Passage): readonly Use[] {
    const { identifier } = passage;
    if (identifier === undefined) return [];
    const own = new Set(
      this.#definedAs(identifier)
        .filter((other) => other.kind !== 'member' && other.file !== passage.file)
        .map(({ file }) => file),
    );
    const owner = this.#isLocal(passage) ? this.#ownerOf(passage) : undefined;
    return (this.#uses.byName.get(identifier) ?? []).filter((use) => {
      if (passage.kind === 'member' && !use.reached) return false;
      if (use.passage.id === passage.id || !speakAlike(use.passage, passage)) return false;
      if (owner) return use.passage.file === owner.file && contains(owner, use.passage);
      if (!this.#canMean(use.passage, passage)) return false;
      // A file that defines the name itself means its own.
      return !own.has(use.passage.file);
    });
  }

  /** Returns the symbols of the workspace that a passage names; if a name is ambiguous, all of them. */
  namedIn(passage: Passage): readonly (readonly Passage[])[] {
    return [...(this.#uses.byPassage[passage.id] ?? [])].flatMap((name) => {
      const all = this.#definedAs(name).filter((other) => {
        if (!speakAlike(other, passage) || !this.#canMean(passage, other)) return false;
        const owner = this.#isLocal(other) ? this.#ownerOf(other) : undefined;
        return !owner || (owner.file === passage.file && contains(owner, passage));
      });
      const own = all.filter(({ file }) => file === passage.file);
      const meant = own.length > 0 ? own : all;
      return meant.length > 0 && meant.length <= MAX_MEANINGS ? [meant] : [];
    });
  }

  /** Members come with objects, from anywhere; everything else has to be imported. */
  #canMean(from: Passage, to: Passage): boolean {
    return to.kind === 'member' || this.#imports.reaches(from.file, to.file);
  }

  #definedAs(identifier: string): readonly Passage[] {
    return this.#definitions.get(identifier) ?? [];
  }

  #ownerOf({ owner }: Passage): Passage | undefined {
    return owner === undefined ? undefined : this.#passages[owner];
  }

  /** Anything defined inside a function is known only there. */
  #isLocal(passage: Passage): boolean {
    const owner = this.#ownerOf(passage);
    return owner !== undefined && owner.kind !== 'class' && passage.kind !== 'member';
  }
}

function contains(owner: Passage, { start, end }: Passage): boolean {
  return start >= owner.start && end <= owner.end;
}

const FAMILY = new Map([
  ['typescript', 'javascript'],
  ['tsx', 'javascript'],
]);

/** Code in one language does not refer to what another defines. */
function speakAlike(a: Passage, b: Passage): boolean {
  return familyOf(a) === familyOf(b);
}

function familyOf({ file: { language } }: Passage): string | undefined {
  return language && (FAMILY.get(language.grammar) ?? language.grammar);
}

/** Where code names a symbol. */
export interface Use {
  readonly passage: Passage;
  /** From 0. */
  readonly row: number;
  /** True if it looks like a call or a member access: more than a word that happens to be the same. */
  readonly reached: boolean;
}

/** Where the workspace's symbols are named. */
interface Uses {
  /** By identifier; one place per passage, by path and line. */
  readonly byName: ReadonlyMap<string, readonly Use[]>;
  /** By passage: the identifiers it names, in order. */
  readonly byPassage: readonly ReadonlySet<string>[];
}

const IDENTIFIER = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/gu;
// An identifier in ASCII, which most lines are: several times as fast.
const ASCII_IDENTIFIER = /[A-Za-z_$][\w$]*/g;
const NOT_ASCII = /[^\t -~]/;
/** A name this short, or defined this often, is ambiguous. */
const MIN_NAME = 3;
const MAX_DEFINITIONS = 12;
const NOTHING: ReadonlySet<string> = new Set();

/** Finds where code, except comments and strings, names a symbol that the workspace defines. */
function findUses(
  passages: readonly Passage[],
  definitions: ReadonlyMap<string, readonly Passage[]>,
  silentIn: (file: SourceFile) => Silence | undefined,
): Uses {
  const byName = new Map<string, Use[]>();
  // A local variable does not refer to a member of the same name.
  const members = new Set<string>();
  for (const [name, found] of definitions) {
    if (name.length < MIN_NAME || found.length > MAX_DEFINITIONS) continue;
    byName.set(name, []);
    if (found.every(({ kind }) => kind === 'member')) members.add(name);
  }
  const byPassage = passages.map((passage) => {
    const { file } = passage;
    if (file.role === 'docs' || file.role === 'config') return NOTHING;
    const silent = silentIn(file);
    const best = new Map<string, Use>();
    for (const row of ownRows(passage)) {
      if (silent?.isComment(row)) continue;
      const line = file.lines[row] ?? '';
      const identifiers = NOT_ASCII.test(line) ? IDENTIFIER : ASCII_IDENTIFIER;
      for (let found = nextOf(identifiers, line, 0); found; found = nextOf(identifiers, line, identifiers.lastIndex)) {
        const { 0: name, index } = found;
        if (!byName.has(name) || (row === passage.head && name === passage.identifier)) continue;
        if (isKey(line, index + name.length) || silent?.isString(row, index)) continue;
        const reached = isReached(line, index, name.length);
        if (!reached && (members.has(name) || best.has(name))) continue;
        if (!best.get(name)?.reached) best.set(name, { passage, row, reached });
      }
    }
    for (const [name, use] of best) byName.get(name)?.push(use);
    return new Set(best.keys());
  });
  return { byName, byPassage };
}

/** Returns the next match from a place on; the next one after that is from the pattern's `lastIndex` on. */
function nextOf(pattern: RegExp, line: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(line);
}

/** `name(`, `.name`, `#name`, `->name`, `::name`: in any language we have a grammar for. */
function isReached(line: string, start: number, length: number): boolean {
  if (line[start + length] === '(') return true;
  const before = line.slice(Math.max(0, start - 2), start);
  return (before.endsWith('.') && before !== '..') || before.endsWith('#') || before === '->' || before === '::';
}

/** `name: value` defines a name and does not use one. */
function isKey(line: string, end: number): boolean {
  return line[end] === ':' && line[end + 1] !== ':';
}

/** The lines of a passage that belong to no passage inside it. */
function* ownRows({ start, end, inner }: Passage): Generator<number> {
  let row = start;
  for (const [from, to] of inner) {
    for (; row < from; row++) yield row;
    row = Math.max(row, to + 1);
  }
  for (; row <= end; row++) yield row;
}
