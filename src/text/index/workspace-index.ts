import { realpath } from 'node:fs/promises';
import { type CutFile, cutFile } from '../cut/cut-file.ts';
import { oneLine } from '../cut/markdown.ts';
import type { Passage } from '../cut/passage.ts';
import type { Silence } from '../cut/silence.ts';
import { FileNames } from '../files/file-names.ts';
import { Imports } from '../files/imports.ts';
import { listFiles } from '../files/list-files.ts';
import { readSource } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import { SecretFilter } from '../secrets/secret-filter.ts';
import { findUses } from './find-uses.ts';
import { Names } from './names.ts';
import { PassageSearch } from './passage-search.ts';

/** Limits for huge workspaces; documents say what was left out. */
const MAX_FILES = 20_000;
const MAX_CHARACTERS = 64_000_000;

/** Everything known about a workspace: its files, cut into passages, and how they refer to one another. */
export interface WorkspaceIndex {
  /** The real, absolute path of the folder. */
  readonly workspace: string;
  readonly files: readonly SourceFile[];
  /** How many files were left out because there were too many. */
  readonly leftOut: number;
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
}

/**
 * Reads, cuts and indexes a workspace, without its secrets.
 * @param allowedFiles as for `SecretFilter`
 * @param searches as for `listFiles`
 */
export async function indexWorkspace(
  folder: string,
  allowedFiles: readonly string[] = [],
  searches?: string,
): Promise<WorkspaceIndex> {
  const workspace = await realpath(folder);
  const filter = new SecretFilter(folder, allowedFiles);
  const paths = await listFiles(workspace, filter, searches);
  const files: SourceFile[] = [];
  const passages: Passage[] = [];
  const silent = new Map<SourceFile, Silence>();
  const imports = new Map<SourceFile, readonly string[]>();
  let characters = 0;
  let leftOut = 0;
  for (const path of paths) {
    if (files.length >= MAX_FILES || characters >= MAX_CHARACTERS) {
      leftOut++;
      continue;
    }
    const file = await readSource(workspace, path, filter);
    if (!file) continue;
    files.push(file);
    for (const line of file.lines) characters += line.length;
    const cut = await cutFile(file);
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
  return {
    workspace,
    files,
    leftOut,
    passages,
    search: new PassageSearch(passages, { names, isComment }),
    fileNamed: (name) => fileNames.find(name),
    passagesNamed: (name, path) => byName.get(keyOf(name, path)) ?? [],
    partsOf: (passage) => partsOf(passage, passages),
    names,
    isComment,
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
