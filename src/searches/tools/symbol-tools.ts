import { setImmediate } from 'node:timers/promises';
import { MAX_TOOL_RESULT } from '../../core/ports/tool.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { PassageKind, Piece } from '../../text/chunk/chunk-file.ts';
import { chunkFile, signatureEnd } from '../../text/chunk/chunk-file.ts';
import { roleOf } from '../../text/files/file-role.ts';
import { sourceFile } from '../../text/files/read-source.ts';
import { searchStopped } from '../messages.ts';
import { type Defined, type FindSymbol, PATH_NAMES, type Range } from './file-tools.ts';
import { type BoundTool, boundTool, neededText, Refusal, type ToolDescriptor, text, whole } from './toolbox.ts';
import type { WorkspaceFiles } from './workspace-files.ts';
import { linesOf } from './workspace-files.ts';

/** The files that are cut by their symbols, since that takes long; in others, comments count as uses. */
const MOST_CUT = 100;
/** The lines that are shown at once. */
const MOST = 60;
/** The longest line, in characters. */
const LONGEST = 240;
/** The characters that continue a name. */
const PART = /[\p{L}\p{N}_$]/u;
const ROLES = ['source', 'test', 'config', 'docs'] as const;

const referencesArgs = {
  symbol: neededText('a name as code writes it, such as that of a function, a method or a class', {
    longest: 200,
    also: ['name', 'identifier', 'query', 'pattern', 'text', 'function', 'symbol_name'],
  }),
  path: text('a folder or file to look in; all by default', { also: ['folder', 'dir', 'directory', 'file'] }),
  offset: whole('how many lines to pass over, to see what comes after those shown before', { also: ['skip'] }),
};

const referencesDescriptor: ToolDescriptor<typeof referencesArgs> = {
  name: 'find_references',
  description:
    'Finds where a symbol is defined, and the lines that use it, with the function that each of them is in: by its name, in code without comments and strings. It does not tell apart what has the same name.',
  args: referencesArgs,
  example: { symbol: 'main' },
};

/** The lines that use a symbol, in one function of a file. */
interface Uses {
  readonly path: string;
  readonly within: string | undefined;
  readonly rows: readonly string[];
}

interface References {
  readonly definitions: readonly string[];
  readonly uses: readonly Uses[];
}

/** Returns the tool that finds definitions and uses of a symbol. */
export function referencesTool(files: WorkspaceFiles): BoundTool {
  return boundTool(
    referencesDescriptor,
    async ({ symbol, path, offset = 0 }, signal) => {
      const name = symbol.split(/[^\p{L}\p{N}_$]/u).findLast((part) => part !== '');
      if (name === undefined)
        throw new Refusal('find_references needs one name as "symbol", for example {"symbol": "main"}.');
      const { files: paths } = await files.choose(path ?? '');
      const found = await references(files, paths, name, signal);
      return { text: shown(found, name, offset), what: `references of ${name}` };
    },
    { also: ['references', 'find_usages', 'usages', 'list_code_usages', 'find_references_of'] },
  );
}

async function references(
  files: WorkspaceFiles,
  paths: readonly string[],
  name: string,
  signal: AbortSignal,
): Promise<References> {
  const definitions: string[] = [];
  const uses: Uses[] = [];
  const ordered = ROLES.flatMap((role) => paths.filter((path) => roleOf(path) === role));
  let cut = 0;
  for (const [at, path] of ordered.entries()) {
    if (at % 16 === 0) await setImmediate();
    if (signal.aborted) throw new ThoughtTreeError('aborted', searchStopped());
    const file = files.texts.written(path);
    if (!file?.text.includes(name) || !columnsOf(name, file.text).length || file.isGenerated) continue;
    const { text: own } = await file.shown();
    const isCode = roleOf(path) === 'source' || roleOf(path) === 'test';
    const symbols = isCode && cut++ < MOST_CUT ? await symbolsOf(path, own) : undefined;
    // Ruby's names end in a sign that is no part of a word.
    const defined = symbols?.symbols.filter(({ identifier }) => identifier?.replace(/[?!=]$/, '') === name) ?? [];
    definitions.push(...defined.map(({ from, to, signature }) => `${path}:${from}-${to}\t${signature.trim()}`));
    uses.push(...usesIn(path, own, name, symbols, new Set(defined.map(({ from }) => from))));
  }
  return { definitions, uses };
}

/** Returns where a text names a symbol, as offsets. */
function columnsOf(name: string, line: string): number[] {
  const columns: number[] = [];
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + name.length)) {
    const isPart = PART.test(line.charAt(at - 1)) || PART.test(line.charAt(at + name.length));
    if (!isPart) columns.push(at);
  }
  return columns;
}

/** @param heads the lines, from 1, that define the symbol */
function usesIn(
  path: string,
  own: string,
  name: string,
  symbols: FileSymbols | undefined,
  heads: ReadonlySet<number>,
): Uses[] {
  const found = new Map<string, string[]>();
  for (const [row, line] of (symbols?.lines ?? linesOf(own)).entries()) {
    const isUsed = columnsOf(name, line).some((column) => !symbols?.isSilent(row, column));
    if (!isUsed || heads.has(row + 1)) continue;
    const within = symbols && innermost(symbols.symbols, row + 1)?.name;
    const rows = found.get(within ?? '') ?? [];
    rows.push(`${row + 1}\t${Buffer.from(line.slice(0, LONGEST)).toString()}${line.length > LONGEST ? '… (cut)' : ''}`);
    found.set(within ?? '', rows);
  }
  return Array.from(found, ([within, rows]) => ({ path, within: within === '' ? undefined : within, rows }));
}

function innermost(symbols: readonly FileSymbol[], line: number): FileSymbol | undefined {
  return symbols.findLast(({ from, to }) => line >= from && line <= to);
}

function shown({ definitions, uses }: References, name: string, offset: number): string {
  const count = uses.reduce((sum, { rows }) => sum + rows.length, 0);
  if (definitions.length + count === 0) return `No code names ${name}. Names are compared with their capitals.`;
  const files = new Set(uses.map(({ path }) => path)).size;
  const lines =
    definitions.length === 0 ? [`No definition of ${name} is found.`] : ['Defined:', ...definitions.slice(0, 20)];
  if (definitions.length > 20) lines.push(`… and ${definitions.length - 20} more definitions`);
  let room = MAX_TOOL_RESULT - 1000 - lines.reduce((sum, line) => sum + line.length + 1, 0);
  let [passed, taken] = [0, 0];
  lines.push(
    count === 0 ? 'Nothing else names it.' : `Used in ${count} lines of ${files} ${files === 1 ? 'file' : 'files'}:`,
  );
  for (const { path, within, rows } of uses) {
    const head = `${path}${within === undefined ? '' : ` (in ${within})`}`;
    const wanted = rows.slice(Math.max(0, offset - passed));
    passed += rows.length - wanted.length;
    room -= head.length + 1;
    const kept = wanted.slice(0, MOST - taken).filter((row) => {
      room -= row.length + 1;
      return room >= 0;
    });
    if (kept.length > 0) lines.push(head, ...kept);
    taken += kept.length;
    if (kept.length < wanted.length) break;
  }
  if (passed + taken < count)
    lines.push(`… and ${count - passed - taken} more lines. Go on with "offset": ${passed + taken}.`);
  return lines.join('\n');
}

const outlineArgs = { path: neededText('a file, relative to the workspace, with /', { also: PATH_NAMES }) };

const outlineDescriptor: ToolDescriptor<typeof outlineArgs> = {
  name: 'outline',
  description:
    'Lists the classes, functions, methods and types of a file, or the headings of a document: first and last line, a tab, and the signature.',
  args: outlineArgs,
  example: { path: 'README.md' },
};

/** Returns the tool that lists the symbols of a file. */
export function outlineTool(files: WorkspaceFiles): BoundTool {
  return boundTool(
    outlineDescriptor,
    async ({ path: written }) => {
      const { path, text } = await files.read(written);
      const { symbols, lines } = await symbolsOf(path, text);
      const head = `${path}, ${lines.length} lines`;
      if (symbols.length === 0)
        return { text: `${head}: no symbols or headings are found in it. Read it.`, what: path };
      let room = MAX_TOOL_RESULT - 500 - head.length;
      const rows = symbols.map(({ from, to, signature }) => `${from}-${to}\t${signature}`);
      const end = rows.findIndex((row) => {
        room -= row.length + 1;
        return room < 0;
      });
      const kept = end < 0 ? rows : rows.slice(0, end);
      const more = kept.length < rows.length ? [`… and ${rows.length - kept.length} more; search the file.`] : [];
      return { text: [`${head}:`, ...kept, ...more].join('\n'), what: `outline of ${path}` };
    },
    { also: ['symbols', 'document_symbols', 'list_symbols', 'list_code_definition_names'] },
  );
}

/** The longest signature, in characters. */
const LONGEST_SIGNATURE = 240;
const NAMED: ReadonlySet<PassageKind> = new Set([
  'class',
  'function',
  'member',
  'constant',
  'type',
  'block',
  'section',
]);

/** A named piece of a file. */
interface FileSymbol extends Pick<Piece, 'kind' | 'name' | 'identifier'> {
  /** Its first and last line, from 1. */
  readonly from: number;
  readonly to: number;
  /** The first line of what belongs to it above: its comment, its decorators. */
  readonly start: number;
  /** As the file has it, in one line. */
  readonly signature: string;
}

/** The parts of a file. */
interface FileSymbols {
  readonly lines: readonly string[];
  /** By their first lines. */
  readonly symbols: readonly FileSymbol[];
  /** Tells whether a place is in a comment or in a string. @param row from 0 */
  isSilent(row: number, column: number): boolean;
}

/** Cuts a file by its symbols, or prose by its headings. @param text without its secrets */
async function symbolsOf(path: string, text: string): Promise<FileSymbols> {
  const file = sourceFile(path, linesOf(text).join('\n'), 0);
  const { pieces, silent } = await chunkFile(file);
  const symbols = pieces
    .filter(({ kind }) => NAMED.has(kind))
    .map((piece) => {
      const last = signatureEnd({ ...piece, file });
      const words = file.lines.slice(piece.head, last + 1).map((line, at) => (at === 0 ? line.trimEnd() : line.trim()));
      const { kind, name, identifier } = piece;
      const signature = shortened(words.join(' '));
      return {
        kind,
        name,
        ...(identifier !== undefined && { identifier }),
        from: piece.head + 1,
        to: piece.end + 1,
        start: piece.start + 1,
        signature,
      };
    });
  return {
    lines: file.lines,
    symbols,
    isSilent: (row, column) => silent.isComment(row) || silent.isString(row, column),
  };
}

/** The most definitions of one name that are told. */
const MOST_DEFINITIONS = 10;
/** The characters of other files that are cut by their symbols to find one: a second or two. */
const MOST_LOOKED_AT = 1_000_000;
/** The most places that are shown of what is only named. */
const MOST_NAMED = 3;
/** The most lines of one of them. */
const MOST_AROUND = 40;
/** A line above a function that is a part of it, in Python, Java or Rust. */
const ATTRIBUTE = /^\s*(?:@\w|#\[)/;
/** The most lines of a comment above a definition that are shown with it. */
const MOST_COMMENT = 12;

/** Finds what a file defines by a symbol; else what the only other file does that defines it; else lines that name it. */
export const findSymbol: FindSymbol = async (files, asked, symbol, { isElsewhere, signal }) => {
  const wanted = partsOf(symbol);
  const name = wanted.at(-1);
  if (name === undefined && !isElsewhere) return undefined;
  if (name === undefined) throw new Refusal('read needs a name as "symbol", for example {"symbol": "main"}.');
  const own = await definitionsOf(asked, symbol, wanted);
  const isHere = own.ranges.length > 0;
  if (own.isIt || !isElsewhere) return isHere ? { ...own, file: asked } : undefined;
  const found: (Defined & { readonly score: number })[] = [];
  const { files: paths } = await files.choose('');
  let left = MOST_LOOKED_AT;
  for (const [at, path] of ROLES.flatMap((role) => paths.filter((one) => roleOf(one) === role)).entries()) {
    if (at % 16 === 0) await setImmediate();
    if (signal.aborted) throw new ThoughtTreeError('aborted', searchStopped());
    const file = files.texts.written(path);
    if (!file?.text.includes(name) || path === asked.path || file.isGenerated) continue;
    if (columnsOf(name, file.text).length === 0 || left < file.text.length) continue;
    left -= file.text.length;
    const shown = { ...(await file.shown()), path };
    const defined = await definitionsOf(shown, symbol, wanted);
    if (defined.isIt) found.push({ ...defined, file: shown });
  }
  const most = Math.max(...found.map((one) => one.score));
  const alike = found.filter(({ score }) => score === most);
  // Code before what tests it and tells of it: they name it as well.
  const role = ROLES.find((one) => alike.some(({ file }) => roleOf(file.path) === one));
  const best = alike.filter(({ file }) => roleOf(file.path) === role);
  const none = `${asked.path} defines no ${JSON.stringify(symbol)}.`;
  const [only, another] = best;
  if (only && !another) return { ...only, note: `${none} This is from another file.` };
  const places = best.flatMap(({ file, ranges }) => ranges.map(({ from, to }) => `${file.path}:${from}-${to}`));
  const note = only ? `${none} Others do: ${places.slice(0, MOST_DEFINITIONS).join(', ')}.` : none;
  if (isHere) return { ...own, file: asked, note: `${note} It defines this.` };
  const ranges = namedIn(asked.text, name);
  if (ranges.length > 0) return { file: asked, ranges, note: `${note} These lines name it.` };
  throw new Refusal(only ? note : `${note} Look with outline or search.`);
};

/** Returns the first lines that name what is no symbol, such as a small constant, with those around them. */
function namedIn(text: string, name: string): Range[] {
  const ranges: Range[] = [];
  const lines = linesOf(text);
  for (const [row, line] of lines.entries()) {
    if (columnsOf(name, line).length === 0) continue;
    const [from, to] = [Math.max(1, row - 1), Math.min(lines.length, row + 9)];
    const before = ranges.at(-1);
    if (before && from <= before.to + 1 && to - before.from < MOST_AROUND)
      ranges[ranges.length - 1] = { from: before.from, to };
    else if (ranges.length < MOST_NAMED) ranges.push({ from, to });
    else break;
  }
  return ranges;
}

interface Definitions {
  readonly ranges: readonly Range[];
  /** The number of parts of the name that agree, from the last one on. */
  readonly score: number;
  /** No part of the name disagrees: `Queue.push` is not `Stack.push`, but may be `push`. */
  readonly isIt: boolean;
}

/** Returns where a file defines a symbol, by its last part: the definitions whose names agree most. */
async function definitionsOf(
  { path, text }: { readonly path: string; readonly text: string },
  written: string,
  wanted: readonly string[],
): Promise<Definitions> {
  const found = await symbolsOf(path, text);
  const scored = found.symbols.map((symbol) => {
    const isProse = symbol.kind === 'section' || symbol.kind === 'block';
    if (isProse) return { symbol, score: symbol.name === written ? wanted.length : 0, isIt: true };
    const own = partsOf(symbol.name).reverse();
    const differs = wanted.toReversed().findIndex((part, at) => part !== own[at]);
    return { symbol, score: differs < 0 ? wanted.length : differs, isIt: differs < 0 || differs >= own.length };
  });
  const score = Math.max(0, ...scored.map((one) => one.score));
  const best = scored.filter((one) => score > 0 && one.score === score);
  const isIt = best.some((one) => one.isIt);
  const kept = best.filter((one) => one.isIt === isIt);
  return { ranges: kept.map(({ symbol }) => rangeOf(symbol, found)), score, isIt };
}

/** Returns the lines of a symbol with its decorators and attributes, and with the comment above if that is short. */
function rangeOf({ from, to, start }: FileSymbol, { lines, isSilent }: FileSymbols): Range {
  const isComment = (line: number): boolean => line > 0 && isSilent(line - 1, 0);
  let code = from;
  while (code > start && !isComment(code - 1)) code--;
  while (ATTRIBUTE.test(lines[code - 2] ?? '')) code--;
  let first = code;
  while (isComment(first - 1)) first--;
  return { from: code - first <= MOST_COMMENT ? first : code, to };
}

/** Returns the parts of a name that tell it apart, without parameters of types: `<Job<T> as Run>::go` is Job and go. */
function partsOf(name: string): string[] {
  const [type = '', trait] = name.startsWith('<') ? name.slice(1).split(' as ') : [name];
  let plain = trait === undefined ? name : `${type}::${name.slice(name.lastIndexOf('>') + 1)}`;
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replace(/<[^<>]*>/g, '');
  }
  return plain.split(/[^\p{L}\p{N}_$]+/u).filter((part) => !['', 'prototype', 'self', 'this'].includes(part));
}

function shortened(line: string): string {
  return line.length <= LONGEST_SIGNATURE ? line : `${line.slice(0, LONGEST_SIGNATURE).toWellFormed()}…`;
}
