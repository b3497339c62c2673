import { posix } from 'node:path';
import type { Language } from '../files/languages.ts';
import type { SourceFile } from '../files/source-file.ts';
import { oneLine, shorten } from './markdown.ts';
import { type Mark, unpackMarks } from './marks.ts';
import { type Match, matchesOf } from './match.ts';
import { parser } from './parse/parser.ts';
import type { PassageKind, Piece } from './passage.ts';
import { Silence } from './silence.ts';

/** The result of cutting a file; its pieces ordered by first line. */
export type CutFile = CutCode;

/** Cuts a file into passages: code by symbol, prose by heading, anything else by its paragraphs. */
export async function cutFile(file: SourceFile): Promise<CutFile> {
  const text = file.lines.join('\n');
  // Without marks it is still text.
  const marks = await parser.findMarks(file.path, text).catch(() => new Uint8Array());
  return cutByMarks(file, unpackMarks(marks, text.length), text);
}

/** Cuts a file whose marks are known. @param text the file's lines */
export function cutByMarks(file: SourceFile, marks: readonly Mark[], text = file.lines.join('\n')): CutFile {
  const name = posix.basename(file.path);
  let cut: CutCode = { pieces: [], silent: new Silence(), imports: [] };
  if (file.language) cut = cutCode(matchesOf(marks, text), file.language, file.lines, name.split('.')[0]);
  else if (file.role === 'docs') cut = { ...cut, pieces: cutProse(file.lines) };
  const rest = cutRest(file.lines, cut.pieces, name.replaceAll('`', ''));
  return { ...cut, pieces: [...cut.pieces, ...rest].sort((a, b) => a.start - b.start || b.end - a.end) };
}

const MAX_NAME = 80;
const CONSTRUCTORS = new Set(['constructor', '__init__', '__new__']);
/** Names that say nothing without the name of what they belong to. */
const GENERIC = new Set(['get', 'set', 'value', 'has', 'call', 'apply', 'next', 'toString', 'handler', 'default']);
/** Smaller ones inside a function are steps of it, not topics of their own. */
const MIN_INNER_LINES = 4;
/** The largest distance of a member from the beginning of its object, in lines. */
const MOST_ABOVE = 400;
const MOST_COLUMNS = 300;

interface Open {
  readonly match: Match;
  readonly name: string;
  readonly kind: PassageKind;
}

type Named = { name: string } & Omit<Piece, 'name' | 'start' | 'head' | 'end'>;

/** The result of cutting a file by symbol. */
interface CutCode {
  readonly pieces: Piece[];
  readonly silent: Silence;
  /** The imports of the file, as written. */
  readonly imports: readonly string[];
}

/**
 * Cuts code by symbol, based on the grammar's matches. A symbol starts with the comment right above it.
 * @param stem the file's name without its extension
 */
function cutCode(matches: readonly Match[], language: Language, lines: readonly string[], stem?: string): CutCode {
  const comments = new Map<number, number>(); // last line → first line, of those right below one another
  const silent = new Silence();
  const imports: string[] = [];
  const symbols: Match[] = [];
  for (const match of matches) {
    if (match.kind === 'import') imports.push(match.text);
    else if (match.kind === 'string') silent.addString(match);
    else if (match.kind === 'docstring') silent.addComment(match);
    else if (match.kind !== 'comment') symbols.push(match);
    else if (startsItsLine(match, lines)) {
      const above = isPod(lines[match.startRow]) ? undefined : comments.get(match.startRow - 1);
      comments.set(match.endRow, above ?? match.startRow);
      silent.addComment(match);
    }
  }
  // One symbol can match twice, as a function and as the constant that holds it: the function says more.
  symbols.sort(
    (a, b) => a.start - b.start || b.end - a.end || Number(a.kind === 'constant') - Number(b.kind === 'constant'),
  );
  const pieces: Piece[] = [];
  const seen = new Set<string>();
  const stack: Open[] = [];
  for (const match of symbols) {
    while (stack.length > 0 && (stack.at(-1)?.match.end ?? 0) <= match.start) stack.pop();
    const around = stack.at(-1);
    const key = `${match.start}:${match.end}`;
    const symbol = seen.has(key) ? undefined : describe(match, around, language);
    seen.add(key);
    if (!symbol) continue;
    if (symbol.kind === 'member' && GENERIC.has(symbol.name))
      symbol.name = `${ownerAbove(lines, match.startRow) ?? stem ?? ''}.${symbol.name}`.replace(/^\./, '');
    stack.push({ match, ...symbol });
    pieces.push({
      ...symbol,
      // Decorators, attributes and `export` are part of a symbol: its comment is above them.
      start: comments.get(match.startRow - 1) ?? podAbove(lines, match.startRow, comments) ?? match.startRow,
      head: match.name?.row ?? match.startRow,
      end: match.endRow,
    });
  }
  return { pieces, silent, imports };
}

function startsItsLine({ startRow, startColumn }: Match, lines: readonly string[]): boolean {
  return (lines[startRow] ?? '').slice(0, startColumn).trim() === '';
}

/** Perl's documentation: an item of it is about what follows, behind an empty line. */
function isPod(line = ''): boolean {
  return /^=[a-z]/.test(line);
}

function podAbove(lines: readonly string[], row: number, comments: ReadonlyMap<number, number>): number | undefined {
  return lines[row - 1]?.trim() === '' && isPod(lines[row - 2]) ? comments.get(row - 2) : undefined;
}

/** Finds what an object without a name of its own is given to: a property (`'ip', {`) or a field (`options: {`). */
function ownerAbove(lines: readonly string[], row: number): string | undefined {
  const indent = (line: string): number => line.length - line.trimStart().length;
  const own = indent(lines[row] ?? '');
  for (let above = row - 1; above >= 0 && row - above < MOST_ABOVE; above--) {
    const line = (lines[above] ?? '').slice(0, MOST_COLUMNS);
    if (line.trim() === '' || indent(line) >= own) continue;
    const owner = /["']([\w$-]{1,60})["']\s*,\s*\{\s*$|([\w$]{1,60})\s*[:=]\s*\{\s*$/.exec(line);
    const name = owner?.[1] ?? owner?.[2];
    return name === 'exports' ? undefined : name;
  }
  return undefined;
}

/** The name and kind of a match; undefined if it is not a separate passage. */
function describe(match: Match, around: Open | undefined, language: Language): Named | undefined {
  const height = match.endRow - match.startRow + 1;
  if (match.kind === 'block') return height < 3 ? undefined : describeBlock(match);
  if (match.kind === 'rule') return { kind: 'block', name: shorten(plain(match.title ?? ''), MAX_NAME) };
  const parts = nameParts(match.name?.text ?? '');
  const last = parts.at(-1);
  if (!last || last.length > MAX_NAME) return undefined;
  // An import or a small value is described well enough by the leftover lines.
  if (match.kind === 'constant' && height < 3) return undefined;
  const insideFunction = around !== undefined && around.kind !== 'class';
  if (insideFunction && match.kind !== 'class' && height < MIN_INNER_LINES) return undefined;
  const own = parts.length > 1 ? parts.join(language.join) : last;
  const member = around?.kind === 'class' || match.owner !== undefined || parts.length > 1;
  const kind = match.kind === 'function' && member ? 'member' : (match.kind as PassageKind);
  // A constructor is called by its class's name.
  const identifier = CONSTRUCTORS.has(last) ? {} : { identifier: last };
  if (match.owner !== undefined) return { kind, name: `${match.owner}${language.join}${own}`, ...identifier };
  if (!around || around.kind === 'block') return { kind, name: own, ...identifier };
  const name = `${around.name}${around.kind === 'class' ? language.join : '.'}${own}`;
  return { kind, name: name.length > MAX_NAME ? own : name, ...identifier };
}

function describeBlock(match: Match): Named | undefined {
  const callee = oneLine(match.name?.text ?? '');
  const title = plain(match.title ?? '');
  if (callee.length > 40 || title.length < 3) return undefined;
  return { kind: 'block', name: `${callee}(${shorten(title, MAX_NAME)})` };
}

/** A text from the source as a name: names are shown between backticks. */
function plain(text: string): string {
  return oneLine(text).replaceAll('`', "'");
}

/** The parts of a name as written: `Runner.prototype.runTests` is runTests of Runner, `exports.list` just list. */
function nameParts(text: string): string[] {
  const parts = oneLine(text)
    .replaceAll('`', '')
    .split(/\.|::/)
    // JavaScript's private members have a sign that also joins a name to its owner's.
    .map((part) => part.replace(/^["'#]|["']$/g, '').trim())
    .filter((part) => part !== '');
  const known = parts.filter((part) => !['prototype', 'module', 'exports', 'this', 'self', 'default'].includes(part));
  return known.slice(-2);
}

const MAX_LINES = 40;

/**
 * Cuts what no symbol or heading covers: runs of lines that end at an empty line once they are long enough. `name` is
 * the file's.
 */
function cutRest(lines: readonly string[], covered: readonly Piece[], name: string): Piece[] {
  const taken = new Uint8Array(lines.length);
  for (const { start, end } of covered) taken.fill(1, start, end + 1);
  const pieces: Piece[] = [];
  let start = -1;
  const close = (end: number): void => {
    if (start >= 0 && end >= start) pieces.push({ kind: 'rest', name, start, head: start, end });
    start = -1;
  };
  lines.forEach((line, row) => {
    if (taken[row]) close(row - 1);
    else if (start < 0) start = line.trim() === '' ? -1 : row;
    else if (row - start >= MAX_LINES || (line.trim() === '' && row - start >= MAX_LINES / 2)) {
      close(row - 1);
      if (line.trim() !== '') start = row;
    }
  });
  close(lines.length - 1);
  return pieces;
}

const MAX_HEADING = 100;
/** The number of characters of one that are read with their markup. */
const LONGEST_MARKED = 1000;

/** Cuts prose by heading: Markdown's `#` and both kinds of underline, and AsciiDoc's `=`. Fenced code holds none. */
export function cutProse(lines: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let open: { name: string; head: number } | undefined;
  const close = (end: number): void => {
    if (open && end > open.head)
      pieces.push({ kind: 'section', name: open.name, start: open.head, head: open.head, end });
  };
  let fence = '';
  lines.forEach((line, row) => {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && (fence === '' || line.trim().startsWith(fence))) fence = fence === '' ? mark : '';
    if (fence !== '' || mark) return;
    const heading = headingAt(lines, row);
    if (heading === undefined) return;
    close(row - 1);
    open = { name: heading, head: row };
  });
  close(lines.length - 1);
  return pieces;
}

/** The heading that starts at a line, as plain text. */
function headingAt(lines: readonly string[], row: number): string | undefined {
  const line = lines[row] ?? '';
  const marked = /^(?:#{1,6}|={1,6})\s+(\S.*)$/.exec(line)?.[1];
  if (marked !== undefined) return headingText(marked.replace(/(?<!#)#+$/, '').trimEnd());
  const under = lines[row + 1] ?? '';
  if (!/^(={3,}|-{3,}|~{3,})\s*$/.test(under) || !/^\p{L}/u.test(line) || line.length > MAX_HEADING) return undefined;
  const above = row === 0 ? '' : (lines[row - 1] ?? '');
  return above.trim() === '' ? headingText(line) : undefined;
}

/** A heading without link addresses, markup and quotation marks, so that a title made of it can be read back. */
function headingText(heading: string): string | undefined {
  const text = oneLine(
    heading
      .slice(0, LONGEST_MARKED)
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/<[^>]*>|[`*“”]|\{#[^}]*\}/g, ''),
  );
  if (text === '') return undefined;
  return text.length > MAX_HEADING ? text.slice(0, MAX_HEADING).toWellFormed() : text;
}
