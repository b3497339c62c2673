import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cutFile } from '../../src/text/cut/cut-file.ts';
import type { Piece } from '../../src/text/cut/passage.ts';
import { roleOf } from '../../src/text/files/file-role.ts';
import { listFiles } from '../../src/text/files/list-files.ts';
import { readSource, splitLines } from '../../src/text/files/read-source.ts';
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

interface Found {
  readonly file: SourceFile;
  readonly piece: Piece;
  readonly identifier: string;
  readonly comment: Rows;
  readonly sentence: string;
}

const MOST = 40;
const MAX_BYTES = 400_000;
const MIN_HEIGHT = 3;
/** A function that more files have is copied about, and no place is its own. */
const MOST_TWINS = 4;
const COMPILED = /(^|\/)(dist|build|cjs|esm|es|umd|amd|release|out|browser|min|bundle|min-bundle|_cjs|_esm)\//;

/**
 * Makes the questions of a package, and a folder that is the package without the comments that they were made from.
 * The same for the same package.
 * @param folder of the package as it was published
 * @param made the folder to be written, which is new
 */
export async function makePackage(name: string, folder: string, made: string): Promise<Triple[]> {
  const filter = new SecretFilter(folder);
  const files = new Map<string, string[]>();
  const found: Found[] = [];
  for (const path of await listFiles(folder, filter)) {
    const text = textOf(join(folder, path));
    if (text === undefined) continue;
    files.set(path, splitLines(text));
    const file = await readSource(folder, path, filter);
    if (file && isCode(file)) found.push(...(await functionsOf(file)));
  }
  const chosen = choose(name, grouped(found));
  const others = new Map(found.map((one) => [`${one.file.path}\0${one.identifier}`, one]));
  for (const one of chosen) for (const each of one) remove(files, each);
  const twins = chosen.map((one) => removeAllCopies(files, one, others));
  const triples = chosen.flatMap((one, place) => tripleOf(name, one, twins[place] ?? [], files) ?? []);
  for (const [path, lines] of files) {
    await mkdir(dirname(join(made, path)), { recursive: true });
    await writeFile(join(made, path), lines.filter((line) => line !== GONE).join('\n'));
  }
  return triples;
}

function textOf(path: string): string | undefined {
  const bytes = readFileSync(path);
  return bytes.length > MAX_BYTES || bytes.includes(0) ? undefined : bytes.toString('utf8');
}

/** Answers are only such files as the baselines look at. */
function isCode(file: SourceFile): boolean {
  return (
    file.language !== undefined && roleOf(file.path) === 'source' && !NOT_CODE.test(file.path) && file.secrets === 0
  );
}

async function functionsOf(file: SourceFile): Promise<Found[]> {
  const cut = await cutFile(file);
  return cut.pieces.flatMap((piece) => {
    const { kind, identifier, head, end } = piece;
    if ((kind !== 'function' && kind !== 'member') || identifier === undefined) return [];
    const comment = commentOf(file.lines, piece, cut, file.path);
    if (!comment) return [];
    const inside = comment.from > head ? comment.to - comment.from + 1 : 0;
    if (end - head + 1 - inside < MIN_HEIGHT) return [];
    const sentence = firstSentenceOf(file.lines.slice(comment.from, comment.to + 1));
    return sentence === undefined || !isQuestion(sentence) ? [] : [{ file, piece, identifier, comment, sentence }];
  });
}

/** The functions that a sentence describes and that share a name: a function and its twins. Others are not asked about. */
function grouped(found: readonly Found[]): Found[][] {
  const bySentence = Map.groupBy(found, ({ sentence }) => wordsOf(sentence).join(' '));
  return [...bySentence.values()].flatMap((group) => {
    const isOne = new Set(group.map(({ identifier }) => identifier)).size === 1;
    const paths = new Set(group.map(({ file }) => file.path));
    // The same sentence twice in a file tells of overloads, or of two classes.
    if (!isOne || paths.size < group.length || paths.size > MOST_TWINS) return [];
    return [group.sort((a, b) => rank(a) - rank(b) || (a.file.path < b.file.path ? -1 : 1))];
  });
}

/** What was written by hand comes before what was made from it. */
function rank({ file: { path } }: Found): number {
  return (COMPILED.test(path) ? 4 : 0) + (/(^|\/)src\//.test(path) ? 0 : 2) + (/\.tsx?$/.test(path) ? 0 : 1);
}

/** One function of each file, then a second of each, and so on: so they come from all over the package. */
function choose(name: string, groups: readonly Found[][]): Found[][] {
  const key = ([one]: readonly Found[]): string =>
    hash(`${name} ${one?.file.path} ${one?.piece.name} ${one?.sentence}`);
  const sorted = groups.map((group) => ({ group, by: key(group) })).sort((a, b) => (a.by < b.by ? -1 : 1));
  const byFile = [...Map.groupBy(sorted, ({ group }) => group[0]?.file.path).values()];
  const turns = byFile.flatMap((list) => list.map((one, turn) => ({ ...one, turn })));
  turns.sort((a, b) => a.turn - b.turn || (a.by < b.by ? -1 : 1));
  return turns.slice(0, MOST).map(({ group }) => group);
}

function remove(files: ReadonlyMap<string, string[]>, { file, comment }: Found): void {
  const lines = files.get(file.path);
  if (lines) removeComment(lines, comment);
}

/** Takes a sentence out of all files; returns the other files of code that had it above a function of the same name. */
function removeAllCopies(
  files: ReadonlyMap<string, string[]>,
  group: readonly Found[],
  others: ReadonlyMap<string, Found>,
): string[] {
  const [{ sentence, identifier } = { sentence: '', identifier: '' }] = group;
  const twins: string[] = [];
  for (const [path, lines] of files) {
    const copies = removeCopies(lines, new WordPlaces(lines), sentence);
    if (copies.length > 0 && others.has(`${path}\0${identifier}`)) twins.push(path);
  }
  return twins;
}

function tripleOf(
  name: string,
  group: readonly Found[],
  copies: readonly string[],
  files: ReadonlyMap<string, readonly string[]>,
): Triple | undefined {
  const [one] = group;
  if (!one) return undefined;
  const { file, piece, identifier, sentence } = one;
  const before = files.get(file.path) ?? [];
  const lineOf = (row: number): number => before.slice(0, row + 1).filter((line) => line !== GONE).length;
  const without = masked(sentence, identifier);
  const wantsMask = Number.parseInt(hash(`mask ${name} ${file.path} ${piece.name}`).slice(0, 2), 16) % 2 === 1;
  // Where too little is left, the question is not asked: unmasked it would tilt the halves.
  if (wantsMask && !isQuestion(without)) return undefined;
  return {
    question: wantsMask ? without : sentence,
    masked: wantsMask,
    name: piece.name,
    file: file.path,
    files: [...new Set([...group.map((each) => each.file.path), ...copies])],
    start: lineOf(piece.head),
    end: lineOf(piece.end),
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
