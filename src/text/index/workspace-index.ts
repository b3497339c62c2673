import type { CutFile } from '../cut/cut-file.ts';
import { oneLine } from '../cut/markdown.ts';
import type { Passage } from '../cut/passage.ts';
import type { Silence } from '../cut/silence.ts';
import { type CodeLayout, layoutOf } from '../files/code-layout.ts';
import { FileNames } from '../files/file-names.ts';
import { Imports } from '../files/imports.ts';
import type { Skipped } from '../files/skipped.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { CutSource } from './cut-one.ts';
import { findUses } from './find-uses.ts';
import type { FolderWords } from './first-pass/folder-words.ts';
import { Names } from './names.ts';
import { PassageSearch } from './passage-search.ts';

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
  /** The file that people mean by a name; see `FileNames`. */
  fileNamed(name: string): SourceFile | undefined;
  /** The passages of a name in a file, as in a topic's title. */
  passagesNamed(name: string, path: string): readonly Passage[];
  /** The passages directly inside a passage. */
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
export function buildIndex(folder: string, sources: readonly CutSource[], words: FolderWords): WorkspaceIndex {
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

function addPassages(file: SourceFile, { pieces }: CutFile, passages: Passage[]): void {
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
