import type { Span } from '../span.ts';

/** The first line of a private key, in any of the forms that programs write. */
const BEGIN =
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}(?:PRIVATE|SECRET) KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----|Private-Lines: \d{1,4}/g;
/** The signs that may come between the lines of a key in a string: indentation, quotes, comments or operators. */
const GAP = /(?:\\[nrt]|[\s"'`+,\\|>#*;()]){1,200}/y;
const HEADER = /[A-Za-z][A-Za-z-]{1,30}: [^\n\r\\]{0,200}/y;
const ROW = /[A-Za-z0-9+/=]{16,10000}/y;
const LAST_ROW = /[A-Za-z0-9+/=]{1,15}(?=(?:\\[nrt]|[\s"'`+,\\|>#*;()]){1,200}(?:-----END|---- END|Private-MAC))/y;
const MAC = /Private-MAC: {0,4}([0-9a-fA-F]{16,128})/y;
/** More lines than any key has. */
const MOST_ROWS = 1000;
const MOST_HEADERS = 10;

/** The lines of private keys, grouped by key. */
export function findKeyBlocks(text: string): Span[][] {
  const blocks: Span[][] = [];
  BEGIN.lastIndex = 0;
  for (let begin = BEGIN.exec(text); begin; begin = BEGIN.exec(text)) {
    const rows = rowsFrom(text, BEGIN.lastIndex);
    const last = rows.at(-1);
    if (!last) continue;
    blocks.push(rows);
    BEGIN.lastIndex = last.end;
  }
  return blocks;
}

function rowsFrom(text: string, from: number): Span[] {
  const rows: Span[] = [];
  let at = after(GAP, text, from) ?? from;
  let headers = 0;
  while (rows.length < MOST_ROWS) {
    const header = rows.length === 0 && headers++ < MOST_HEADERS ? after(HEADER, text, at) : undefined;
    const end = header ?? after(ROW, text, at) ?? after(LAST_ROW, text, at);
    if (end === undefined) break;
    if (header === undefined) rows.push({ start: at, end });
    at = after(GAP, text, end) ?? end;
  }
  const mac = after(MAC, text, at);
  if (mac !== undefined && rows.length > 0) rows.push({ start: at, end: mac });
  return rows;
}

/** The end of a match of a sticky pattern at a place; undefined if there is none. */
function after(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
