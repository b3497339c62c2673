import { posix } from 'node:path';
import type { Language } from '../files/languages.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { Span } from '../secrets/spans.ts';
import { oneLine, shorten } from './markdown.ts';
import { type Mark, unpackMarks } from './marks.ts';
import { parser } from './parser.ts';

/** The result of cutting a file; its pieces ordered by first line. */
export type ChunkedFile = ChunkedCode;

/** Cuts a file into passages: code by symbol, prose by heading, anything else by its paragraphs. */
export async function chunkFile(file: SourceFile): Promise<ChunkedFile> {
  const text = file.lines.join('\n');
  // Without marks it is still text.
  const marks = await parser.findMarks(file.path, text).catch(() => new Uint8Array());
  return chunkByMarks(file, unpackMarks(marks, text.length), text);
}

/** Cuts a file whose marks are known. @param text the file's lines */
export function chunkByMarks(file: SourceFile, marks: readonly Mark[], text = file.lines.join('\n')): ChunkedFile {
  const name = posix.basename(file.path);
  let cut: ChunkedCode = { pieces: [], silent: new Silence(), imports: [] };
  if (file.language) cut = chunkCode(matchesOf(marks, text), file.language, file.lines, name.split('.')[0]);
  else if (file.role === 'docs') cut = { ...cut, pieces: chunkProse(file.lines) };
  const rest = chunkRest(file.lines, cut.pieces, name.replaceAll('`', ''));
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
interface ChunkedCode {
  readonly pieces: Piece[];
  readonly silent: Silence;
  /** The imports of the file, as written. */
  readonly imports: readonly string[];
}

/**
 * Cuts code by symbol, based on the grammar's matches. A symbol starts with the comment right above it.
 * @param stem the file's name without its extension
 */
function chunkCode(
  matches: readonly Match[],
  language: Language,
  lines: readonly string[],
  stem?: string,
): ChunkedCode {
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

/** Returns the name and kind of a match; undefined if it is not a separate passage. */
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

/** Returns a text from the source as a name: names are shown between backticks. */
function plain(text: string): string {
  return oneLine(text).replaceAll('`', "'");
}

/**
 * Returns the parts of a name as written: `Runner.prototype.runTests` is runTests of Runner, `exports.list` just list.
 */
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
function chunkRest(lines: readonly string[], covered: readonly Piece[], name: string): Piece[] {
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
export function chunkProse(lines: readonly string[]): Piece[] {
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

/** Returns the heading that starts at a line, as plain text. */
function headingAt(lines: readonly string[], row: number): string | undefined {
  const line = lines[row] ?? '';
  const marked = /^(?:#{1,6}|={1,6})\s+(\S.*)$/.exec(line)?.[1];
  if (marked !== undefined) return headingText(marked.replace(/(?<!#)#+$/, '').trimEnd());
  const under = lines[row + 1] ?? '';
  if (!/^(={3,}|-{3,}|~{3,})\s*$/.test(under) || !/^\p{L}/u.test(line) || line.length > MAX_HEADING) return undefined;
  const above = row === 0 ? '' : (lines[row - 1] ?? '');
  return above.trim() === '' ? headingText(line) : undefined;
}

/**
 * Returns a heading without link addresses, markup and quotation marks, so that a title made of it can be read back.
 */
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

/** The kind of a passage: a named piece of code, a block with a title (a test), a section of prose, or leftover lines. */
export type PassageKind = 'class' | 'function' | 'member' | 'constant' | 'type' | 'block' | 'section' | 'rest';

/** A piece of a file, as its cutter found it. Lines count from 0 and are inclusive. */
export interface Piece {
  readonly kind: PassageKind;
  /** With its owner's, as in `Suite#timeout`; a section's heading; the file's name for leftover lines. */
  readonly name: string;
  /** The name alone, as other code writes it; undefined if no code can refer to it. */
  readonly identifier?: string;
  /** Where it starts, including the comment above it. */
  readonly start: number;
  /** The line of its name. */
  readonly head: number;
  readonly end: number;
}

/** A piece with its place in the index. */
export interface Passage extends Piece {
  /** Its number, in the order of paths and lines. */
  readonly id: number;
  readonly file: SourceFile;
  /** The number of the passage around it. */
  readonly owner?: number;
  /** The lines that belong to passages inside it, as pairs of first and last. */
  readonly inner: readonly (readonly [number, number])[];
}

/** A symbol as the grammar sees it; names are source text, positions count UTF-16 units and lines from 0. */
interface Match {
  readonly kind: Mark['kind'];
  readonly start: number;
  readonly end: number;
  readonly startRow: number;
  readonly startColumn: number;
  readonly endRow: number;
  readonly endColumn: number;
  readonly text: string;
  readonly name?: { readonly text: string; readonly row: number };
  readonly owner?: string;
  readonly title?: string;
}

/** Returns the matches for which marks of a text stand. */
function matchesOf(marks: readonly Mark[], text: string): Match[] {
  const rows = new Rows(text);
  const textOf = ({ start, end }: Span): string => text.slice(start, end);
  return marks.map(({ kind, start, end, name, owner, title }) => {
    const startRow = rows.at(start);
    const startColumn = start - rows.startOf(startRow);
    const endRow = rows.at(end);
    const endColumn = end - rows.startOf(endRow);
    return {
      kind,
      start,
      end,
      startRow,
      startColumn,
      // A symbol whose last character is a line end does not reach into the next line.
      endRow: endColumn === 0 ? Math.max(startRow, endRow - 1) : endRow,
      endColumn,
      text: kind === 'import' ? textOf({ start, end }) : '',
      ...(name && { name: { text: textOf(name), row: rows.at(name.start) } }),
      ...(owner && { owner: textOf(owner) }),
      ...(title && { title: textOf(title) }),
    };
  });
}

/** The lines of a text by offsets. Those asked for one after the other are mostly near one another. */
class Rows {
  readonly #starts: number[] = [0];
  #last = 0;

  constructor(text: string) {
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) this.#starts.push(end + 1);
  }

  startOf(row: number): number {
    return this.#starts[row] as number;
  }

  at(offset: number): number {
    while (this.startOf(this.#last) > offset) this.#last--;
    while (this.#last + 1 < this.#starts.length && this.startOf(this.#last + 1) <= offset) this.#last++;
    return this.#last;
  }
}

type SilentSpan = Pick<Match, 'startRow' | 'startColumn' | 'endRow' | 'endColumn'>;

/** Where names in a file of code are only words: in comments and in strings. */
export class Silence {
  readonly #comments = new Set<number>();
  readonly #strings = new Map<number, [number, number][]>();

  /** A comment with no code on its lines. */
  addComment({ startRow, endRow }: SilentSpan): void {
    for (let row = startRow; row <= endRow; row++) this.#comments.add(row);
  }

  addString({ startRow, startColumn, endRow, endColumn }: SilentSpan): void {
    for (let row = startRow; row <= endRow; row++) {
      const spans = this.#strings.get(row) ?? [];
      spans.push([row === startRow ? startColumn : 0, row === endRow ? endColumn : Number.POSITIVE_INFINITY]);
      this.#strings.set(row, spans);
    }
  }

  isComment(row: number): boolean {
    return this.#comments.has(row);
  }

  /** Tells whether the character at a column (in UTF-16 units) is part of a string. */
  isString(row: number, column: number): boolean {
    return this.#strings.get(row)?.some(([from, to]) => column >= from && column < to) ?? false;
  }
}

/** The longest signature, in lines. */
const MOST_SIGNATURE_LINES = 12;
const HAS_SIGNATURE: ReadonlySet<Passage['kind']> = new Set(['function', 'member', 'class', 'type']);
/** The beginning of a line that goes on with the signature above it: bounds, what it returns, its end. */
const GOES_ON = /^\s*(?:where\b|[)>\]{]|->|extends\b|implements\b)/;

/**
 * The last row of a passage's signature, from its head on: that of its parameters, its type parameters and their bounds,
 * however they are broken into lines. The head itself where all is in one line, or where no end is near.
 */
export function signatureEnd({ kind, file, head, end }: Pick<Passage, 'kind' | 'file' | 'head' | 'end'>): number {
  // Brackets of a constant are around what it is, and not around what it takes.
  if (!HAS_SIGNATURE.has(kind)) return head;
  const last = Math.min(end, head + MOST_SIGNATURE_LINES - 1);
  let open = 0;
  let isBounds = false;
  for (let row = head; row <= last; row++) {
    const line = file.lines[row] ?? '';
    isBounds ||= /^\s*where\b/.test(line);
    open += opened(line);
    if (/[{;]\s*$/.test(line) && open <= 0) return row;
    const isOpen = open > 0 || isBounds || GOES_ON.test(file.lines[row + 1] ?? '');
    if (!isOpen) return row;
  }
  return head;
}

/** Counts brackets that are opened in a line minus those closed; `<` counts where type parameters begin, at its end. */
function opened(line: string): number {
  let depth = 0;
  for (const character of line) {
    if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
  }
  if (/<\s*$/.test(line)) depth++;
  return /^\s*>/.test(line) ? depth - 1 : depth;
}
