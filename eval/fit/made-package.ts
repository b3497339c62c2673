import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { Piece } from '../../src/text/chunk/chunk-file.ts';
import { chunkFile } from '../../src/text/chunk/chunk-file.ts';
import { roleOf } from '../../src/text/files/file-role.ts';
import { listFiles } from '../../src/text/files/list-files.ts';
import { readSource } from '../../src/text/files/read-source.ts';
import { splitLines } from '../../src/text/files/read-text.ts';
import type { SourceFile } from '../../src/text/files/source-file.ts';
import { SecretFilter } from '../../src/text/secrets/secret-filter.ts';
// biome-ignore lint/correctness/useImportExtensions: it takes the declarations for the module
import { NOT_CODE } from '../baseline.mjs';
import { commentOf, GONE, type Rows, removeComment, removeCopies, WordPlaces } from './comments.ts';
import { firstSentenceOf, isQuestion, masked, wordsOf } from './sentences.ts';

/** A made-up question and its answer. */
export interface Triple {
  readonly question: string;
  /** Whether the words of the function's name were taken out of the question. */
  readonly masked: boolean;
  /** The function's name as our passages have it, such as `Suite#timeout`. */
  readonly name: string;
  /** The file that has it, and where compiled twins have it too, those: all are right. */
  readonly file: string;
  readonly files: readonly string[];
  /** The function's lines in `file`, from 1, without its comment. */
  readonly start: number;
  readonly end: number;
}

/** A function with its comment. */
interface Found {
  readonly file: SourceFile;
  readonly piece: Piece;
  readonly identifier: string;
  readonly comment: Rows;
  readonly sentence: string;
}

/** A function, and its twins with the same comment. */
type Group = readonly [Found, ...Found[]];

const MOST = 40;
const MAX_BYTES = 400_000;
const MIN_HEIGHT = 3;
/** A function that more files have is copied about, and no place is its own. */
const MOST_TWINS = 4;
const COMPILED = /(^|\/)(dist|build|lib-cjs|cjs|esm|es|umd|amd|release|out|browser|min|bundle|_cjs|_esm)\//;

/**
 * Makes the questions of a package, and a folder that is the package without the comments that they were made from.
 * The same for the same package.
 * @param folder of the package as it was published
 * @param made the folder to be written, which is new
 */
export async function makePackage(name: string, folder: string, made: string): Promise<Triple[]> {
  const filter = new SecretFilter(folder);
  const files = new Map<string, string[]>();
  const functions = new Map<string, Set<string>>();
  const found: Found[] = [];
  for (const path of await listFiles(folder, filter)) {
    const text = textOf(join(folder, path));
    if (text === undefined) continue;
    files.set(path, splitLines(text));
    const file = await readSource(folder, path, filter);
    if (file && isCode(file)) found.push(...(await functionsOf(file, functions)));
  }
  const chosen = choose(name, grouped(found));
  takeOut(files, chosen);
  for (const [path, lines] of files) {
    await mkdir(dirname(join(made, path)), { recursive: true });
    await writeFile(join(made, path), lines.filter((line) => line !== GONE).join('\n'));
  }
  return triplesOf(chosen, files, functions);
}

function textOf(path: string): string | undefined {
  const bytes = readFileSync(path);
  return bytes.length > MAX_BYTES || bytes.includes(0) ? undefined : bytes.toString('utf8');
}

/** Answers are only such files as the baselines look at. */
function isCode({ path, language, secrets }: SourceFile): boolean {
  return language !== undefined && roleOf(path) === 'source' && !NOT_CODE.test(path) && secrets === 0;
}

/** Returns the functions of a file that can be asked about; notes the paths of all functions by their names. */
async function functionsOf(file: SourceFile, paths: Map<string, Set<string>>): Promise<Found[]> {
  const cut = await chunkFile(file);
  return cut.pieces.flatMap((piece) => {
    const { kind, identifier, head, end } = piece;
    if ((kind !== 'function' && kind !== 'member') || identifier === undefined) return [];
    paths.set(identifier, (paths.get(identifier) ?? new Set()).add(file.path));
    const comment = commentOf(file.lines, piece, cut, file.path);
    if (!comment) return [];
    const inside = comment.from > head ? comment.to - comment.from + 1 : 0;
    if (end - head + 1 - inside < MIN_HEIGHT) return [];
    const sentence = firstSentenceOf(file.lines.slice(comment.from, comment.to + 1));
    return sentence === undefined || !isQuestion(sentence) ? [] : [{ file, piece, identifier, comment, sentence }];
  });
}

/**
 * Returns the functions whose sentence tells of nothing else: the same sentence twice in a file is about overloads, or
 * classes.
 */
function grouped(found: readonly Found[]): Group[] {
  const bySentence = Map.groupBy(found, ({ sentence }) => wordsOf(sentence).join(' '));
  return [...bySentence.values()].flatMap((group) => {
    const isOne = new Set(group.map(({ identifier }) => identifier)).size === 1;
    const paths = new Set(group.map(({ file }) => file.path));
    if (!isOne || paths.size < group.length || paths.size > MOST_TWINS) return [];
    const [one, ...same] = group.sort((a, b) => rank(a) - rank(b) || (a.file.path < b.file.path ? -1 : 1));
    return one ? [[one, ...same]] : [];
  });
}

/** Returns what was written by hand comes before what was made from it. */
function rank({ file: { path } }: Found): number {
  return (COMPILED.test(path) ? 4 : 0) + (/(^|\/)src\//.test(path) ? 0 : 2) + (/\.tsx?$/.test(path) ? 0 : 1);
}

/** Returns one function of each file, then a second of each, and so on: so they come from all over the package. */
function choose(name: string, groups: readonly Group[]): Group[] {
  const sorted = groups
    .map((group) => ({ group, by: hash(`${name} ${group[0].file.path} ${group[0].sentence}`) }))
    .sort((a, b) => (a.by < b.by ? -1 : 1));
  const byFile = [...Map.groupBy(sorted, ({ group }) => group[0].file.path).values()];
  const turns = byFile.flatMap((list) => list.map((one, turn) => ({ ...one, turn })));
  turns.sort((a, b) => a.turn - b.turn || (a.by < b.by ? -1 : 1));
  return turns.slice(0, MOST).map(({ group }) => group);
}

/** Takes the comments out of all files, and their copies in declarations, documents and compiled twins. */
function takeOut(files: ReadonlyMap<string, string[]>, groups: readonly Group[]): void {
  for (const { file, comment } of groups.flat()) removeComment(files.get(file.path) ?? [], comment);
  for (const lines of files.values()) {
    const places = new WordPlaces(lines);
    for (const [{ sentence }] of groups) removeCopies(lines, places, sentence);
  }
}

function triplesOf(
  groups: readonly Group[],
  files: ReadonlyMap<string, readonly string[]>,
  functions: ReadonlyMap<string, ReadonlySet<string>>,
): Triple[] {
  let balance = 0;
  return groups.map(([{ file, piece, identifier, sentence }, ...same]) => {
    const without = masked(sentence, identifier);
    // Every second one, in the order of their hashes; where too little would be left, the next one.
    const isMasked = balance <= 0 && isQuestion(without);
    balance += isMasked ? 1 : -1;
    const lines = files.get(file.path) ?? [];
    const lineOf = (row: number): number => lines.slice(0, row + 1).filter((line) => line !== GONE).length;
    const twins = [...(functions.get(identifier) ?? [])].filter((path) => isTwin(path, file.path));
    return {
      question: isMasked ? without : sentence,
      masked: isMasked,
      name: piece.name,
      file: file.path,
      files: [...new Set([file.path, ...same.map((each) => each.file.path), ...twins])],
      start: lineOf(piece.head),
      end: lineOf(piece.end),
    };
  });
}

/** Tells whether a file was made from another, or both from the same. */
function isTwin(path: string, other: string): boolean {
  const stem = (file: string): string => posix.basename(file).replace(/\..*$/, '');
  return COMPILED.test(path) !== COMPILED.test(other) || (path.includes('/') && stem(path) === stem(other));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
