import type { Span } from '../span.ts';
import { isRandom } from '../value-strength.ts';
import { matchEnd } from './lines.ts';

/** The signs that may come between the lines of a broken text, or between the values of a list. */
const GAP =
  /\\?["'`]{0,3}[ \t]{0,8}[+,.\\]?[ \t]{0,8}(?:\\n["'`]?[ \t]{0,4}\+?)?\r?\n[ \t>|#*]{0,40}(?:\/\/ ?)?[uUbBrR@]?["'`]{0,3}/y;
const ROW = /[\w+/=-]{4,400}/y;
const MOST_ROWS = 200;

/** The lines below a secret that continue it, or are of its kind: random as well; the last one may be short. */
export function moreRows(text: string, { end }: Span): Span[] {
  const rows: Span[] = [];
  let at = end;
  while (rows.length < MOST_ROWS) {
    const start = matchEnd(GAP, text, at);
    const next = start === undefined ? undefined : matchEnd(ROW, text, start);
    if (start === undefined || next === undefined) break;
    const row = text.slice(start, next);
    if (!isRandom(row, 16) && !(row.endsWith('=') && rows.length > 0)) break;
    rows.push({ start, end: next });
    at = next;
  }
  return rows;
}
