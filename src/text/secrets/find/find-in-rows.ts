import { kindOf } from '../secret-names.ts';
import type { Span } from '../span.ts';
import { isPasswordLike, isRandom } from '../value-strength.ts';

/** Files that contain tables, and rows of values. */
const TABLES = /\.(?:md|mdx|markdown|rst|adoc|txt|csv|tsv|psv|tab|log|org|sql)$/i;
/** The most rows below a heading that are read, and their maximum length. */
const MOST_ROWS = 500;
const LONGEST_ROW = 2000;

/** Passwords in a table, or in rows of values, below a heading that names them. */
export function findInRows(path: string, text: string): Span[] {
  if (!TABLES.test(path)) return [];
  const found: Span[] = [];
  let end = 0;
  for (const { 0: heading, index } of text.matchAll(
    /^[^\n]{0,200}(?:pass|pwd|secret|token|key|cred)[^\n]{0,200}$/gim,
  )) {
    if (index < end) continue;
    const table = tableOf(heading);
    if (!table) continue;
    const rows = below(text, index + heading.length + 1, table);
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
  const columns = cells.flatMap((cell, column) => (isName(cell) ? [column] : []));
  return columns.length === 0 ? undefined : { delimiter, columns, count: cells.length };
}

/** A heading consists of a name only. */
function isName(cell: string): boolean {
  const name = cell.trim().replace(/^["'`*_]{1,2}|["'`*_]{1,2}$/g, '');
  const kind = /^[\p{L}\d_ -]{2,40}$/u.test(name) ? kindOf(name) : undefined;
  return kind === 'password' || kind === 'secret';
}

function below(text: string, from: number, { delimiter, columns, count }: Table): { found: Span[]; end: number } {
  const found: Span[] = [];
  let at = from;
  for (let row = 0; row < MOST_ROWS && at < text.length; row++) {
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
