import { setImmediate } from 'node:timers/promises';
import { BETWEEN } from '../files/source-file.ts';
import { findAssigned, isKnown } from './find-assigned.ts';
import { findByLibrary, findKeyBlocks, findTokens } from './find-tokens.ts';
import { kindOf } from './secret-names.ts';
import { type FoundSecrets, type HiddenText, leaveOut, merged, type Span } from './spans.ts';
import { isHex, isPasswordLike, isPlaceholder, isRandom } from './value-strength.ts';

const ADDRESS = /:\/\/([^\s:@/"'`<>?#]{0,100}):([^\s@"'`<>/]{4,200})@(?=[^\s@"'`<>])/g;
const USER_ALONE = /:\/\/([\w-]{20,200})@(?=[^\s@"'`<>])/g;
const HEADER = /\b(?:[Bb]asic|BASIC|GenieKey|SSWS)[ \t]{1,4}([A-Za-z0-9+/=_.~:-]{8,4000})/g;
/** The user option of a command that contacts a server. */
const USER = /(?:\s-u|--user|--proxy-user|--basic|--creds?)[ =]{0,2}["']?([\w.@+-]{1,80}):([^\s"'`]{3,200})/g;
const ATTACHED =
  /\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|sshpass|7z|7za|zip)\b[^\n|;&]{0,200}?\s-[pP] {0,1}["']?([^\s"'`|;&]{4,100})/g;
const OPTIONS = /\s[-/]u(?:ser)?[ =:]{1,4}\S{1,80}\s{1,4}[-/]p(?:ass(?:word)?)?[ =:]{1,4}["']?([^\s"'`]{4,100})/gi;
const SHARE = /\bnet use\b[^\n]{0,200}?\/user:\S{1,80}\s{1,4}["']?([^\s"'`]{4,100})/gi;

/** Passwords and tokens in addresses, in headers, and in the arguments of commands. */
function findInAddresses(text: string): Span[] {
  const found: Span[] = [];
  const add = (match: RegExpExecArray, value: string | undefined): void => {
    if (value === undefined || isPlaceholder(value)) return;
    const start = match.index + match[0].lastIndexOf(value);
    found.push({ start, end: start + value.length });
  };
  if (text.includes('://')) for (const match of text.matchAll(ADDRESS)) add(match, match[2]);
  if (text.includes('@'))
    for (const match of text.matchAll(USER_ALONE)) if (isRandom(match[1] ?? '', 20)) add(match, match[1]);
  for (const match of text.matchAll(HEADER)) if (isRandom(match[1] ?? '', 12)) add(match, match[1]);
  if (text.includes('-u') || text.includes('--')) for (const match of text.matchAll(USER)) add(match, match[2]);
  for (const match of text.matchAll(ATTACHED)) add(match, match[1]);
  for (const match of text.matchAll(OPTIONS)) add(match, match[1]);
  if (text.includes('/user:')) for (const match of text.matchAll(SHARE)) add(match, match[1]);
  return found;
}

/** Files that contain tables, and rows of values. */
const TABLES = /\.(?:md|mdx|markdown|rst|adoc|txt|csv|tsv|psv|tab|log|org|sql)$/i;
/** The most rows below a heading that are read, and their maximum length. */
const MOST_TABLE_ROWS = 500;
const LONGEST_ROW = 2000;

/** Passwords in a table, or in rows of values, below a heading that names them. */
function findInRows(path: string, text: string): Span[] {
  if (!TABLES.test(path)) return [];
  const found: Span[] = [];
  let end = 0;
  for (const { 0: heading, index } of text.matchAll(
    /^[^\n]{0,200}(?:pass|pwd|secret|token|key|cred)[^\n]{0,200}$/gim,
  )) {
    if (index < end) continue;
    const table = tableOf(heading);
    if (!table) continue;
    const rows = rowsBelow(text, index + heading.length + 1, table);
    found.push(...rows.found);
    end = rows.end;
  }
  return found;
}

interface Table {
  readonly delimiter: string;
  readonly columns: readonly number[];
  readonly count: number;
}

/** Reads what a heading says about the rows below it: in SQL, the names of columns before `VALUES`. */
function tableOf(heading: string): Table | undefined {
  const names = /^[ \t]{0,20}insert into [^(]{1,100}\(([^)]{1,300})\)[ \t]{0,4}values\b/i.exec(heading)?.[1] ?? heading;
  const delimiter = names === heading ? ['|', '\t', ';', ','].find((one) => names.includes(one)) : ',';
  if (delimiter === undefined) return undefined;
  const cells = names.split(delimiter);
  // A line of a file behind its number is no row of two cells: "pass" is a word of Python.
  if (cells.length === 2 && /^\s{0,20}\d{1,20}$/.test(cells[0] ?? '')) return undefined;
  const columns = cells.flatMap((cell, column) => (isHeading(cell) ? [column] : []));
  return columns.length === 0 ? undefined : { delimiter, columns, count: cells.length };
}

/** A heading consists of a name only. */
function isHeading(cell: string): boolean {
  const name = cell.trim().replace(/^["'`*_]{1,2}|["'`*_]{1,2}$/g, '');
  const kind = /^[\p{L}\d_ -]{2,40}$/u.test(name) ? kindOf(name) : undefined;
  return kind === 'password' || kind === 'secret';
}

function rowsBelow(text: string, from: number, { delimiter, columns, count }: Table): { found: Span[]; end: number } {
  const found: Span[] = [];
  let at = from;
  for (let row = 0; row < MOST_TABLE_ROWS && at < text.length; row++) {
    const newline = text.slice(at, at + LONGEST_ROW).indexOf('\n');
    const end = newline < 0 ? Math.min(text.length, at + LONGEST_ROW) : at + newline;
    const cells = text
      .slice(at, end)
      .replace(/,\s{0,4}$/, '')
      .split(delimiter);
    if (cells.length !== count) break;
    let start = at;
    for (const [column, cell] of cells.entries()) {
      const value = /^[\s"'`(]{0,20}([^\s"'`]{4,200})[\s"'`);]{0,20}$/.exec(cell)?.[1];
      if (value !== undefined && columns.includes(column) && (isPasswordLike(value) || isRandom(value, 16)))
        found.push({ start: start + cell.indexOf(value), end: start + cell.indexOf(value) + value.length });
      start += cell.length + delimiter.length;
    }
    at = end + 1;
  }
  return { found, end: at };
}

const SECRET_MANIFEST = /^[ \t]{0,8}["']?kind["']?:[ \t]{0,4}["']?(?:Secret|SecretList)\b/m;
const MANIFEST_DATA = /^([ \t]{0,12})["']?(?:data|stringData)["']?:[ \t]{0,8}\r?$/gm;
const MANIFEST_VALUE = /^([ \t]{1,40})["']?[\w.-]{1,200}["']?:[ \t]{1,8}["']?([^\s"'|>#{}][^\n"']{3,8000})/;

/** Returns the values of a cluster's secrets, whatever their names. */
function findInManifests(text: string): Span[] {
  if (!text.includes('Secret') || !SECRET_MANIFEST.test(text)) return [];
  const found: Span[] = [];
  for (const data of text.matchAll(MANIFEST_DATA)) {
    const indent = (data[1] ?? '').length;
    let at = data.index + data[0].length + 1;
    while (at < text.length) {
      const newline = text.indexOf('\n', at);
      const end = newline < 0 ? text.length : newline;
      const line = text.slice(at, end);
      const match = MANIFEST_VALUE.exec(line.slice(0, 9000));
      if (line.trim() !== '' && (match?.[1]?.length ?? line.search(/\S/)) <= indent) break;
      const [whole = '', , rest = ''] = match ?? [];
      const value = rest.trimEnd();
      if (value !== '' && !isPlaceholder(value)) {
        const start = at + whole.length - rest.length; // its name may contain the same text
        found.push({ start, end: start + value.length });
      }
      at = end + 1;
    }
  }
  return found;
}

/** A quoted text without spaces; shorter ones are ids of services. */
const QUOTED = /(["'`])([\w+/=.~-]{32,200})\1/g;
/** As in `find-assigned.ts`. */
const LONG_LINE = 600;

/** Random quoted texts, whatever their name, unless the name says that they are not secret. */
function findRandom(text: string): Span[] {
  const found: Span[] = [];
  for (const { 0: whole, 2: said = '', index } of text.matchAll(QUOTED)) {
    if (!/[a-z]/.test(said) || !/[A-Z]/.test(said) || !/\d.*\d/.test(said) || isHex(said) || !isRandom(said, 32))
      continue;
    const before = text.slice(Math.max(0, index - LONG_LINE), index + 1);
    if (!before.includes('\n') && before.length > LONG_LINE) continue;
    if (/^sha\d|^data/i.test(said) || isKnown(before.slice(before.lastIndexOf('\n') + 1)) || isWritten(said)) continue;
    found.push({ start: index + 1, end: index + whole.length - 1 });
  }
  return found;
}

/** Tells whether a text is the base64 form of a readable one. */
function isWritten(said: string): boolean {
  const [part = ''] = said.split('.');
  const bytes = Buffer.from(part, 'base64');
  return bytes.length >= 12 && bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d);
}

type Find = (path: string, text: string) => readonly Span[] | Promise<readonly Span[]>;

const FINDERS: readonly Find[] = [
  (_path, text) => findTokens(text),
  findAssigned,
  (_path, text) => findRandom(text),
  (_path, text) => findInAddresses(text),
  findInRows,
  (_path, text) => findInManifests(text),
  (_path, text) => findByLibrary(text),
];
/** In longer texts, the process yields between one kind of secret and the next. */
const LONG = 50_000;

/**
 * Replaces everything that looks like a secret by `[secret left out]`.
 * @param path of the file that contains the text: programs, settings and prose are interpreted differently
 */
export async function hideSecrets(path: string, text: string): Promise<HiddenText> {
  const { spans, count } = await findSecrets(path, text);
  return { text: leaveOut(text, spans), secrets: count };
}

/** Finds everything that looks like a secret. @param path as for `hideSecrets` */
export async function findSecrets(path: string, written: string): Promise<FoundSecrets> {
  // Lines of a notebook that are on one of its file are lines here, in as many characters.
  const text = written.replaceAll(BETWEEN, '\n'.padEnd(BETWEEN.length));
  const keys = findKeyBlocks(text);
  const rows = merged(keys.flat());
  const found: Span[] = [];
  for (const find of FINDERS) {
    for (const span of await find(path, text)) found.push(span);
    if (text.length > LONG) await setImmediate();
  }
  const single = merged(found).filter((span) => !rows.some((row) => span.start < row.end && row.start < span.end));
  return { spans: merged([...rows, ...single]), count: keys.length + single.length };
}
