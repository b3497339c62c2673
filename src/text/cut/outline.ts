import type { Outline } from '../files/outlines.ts';
import type { Span } from '../secrets/span.ts';
import type { Mark } from './marks.ts';

const MOST_COLUMNS = 400;
/** The lines that go on with a symbol at its own depth: the end of a signature, or the bracket that opens its body. */
const GOES_ON = /^\s*(?:[)\]].*)?\{\s*$/;
const CLOSES = /^\s*(?:[)\]}]|end\b)/;

/** A line, and where it is in its text. */
interface Row extends Span {
  readonly text: string;
}

/** Marks a text by the look of its lines, without a grammar: comments and symbols, which end by their indentation. */
export function marksByOutline(text: string, outline: Outline): Mark[] {
  const rows = rowsOf(text);
  const marks: Mark[] = [];
  const ends = endsOfBlocks(rows, outline);
  let owner: Span | undefined;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as Row;
    const last = lastOfComment(rows, at, outline, ends);
    if (last !== undefined) {
      marks.push({ kind: 'comment', start: row.start, end: (rows[last] as Row).end });
      at = last;
      continue;
    }
    owner = (outline.owner && nameIn(row, outline.owner)) ?? owner;
    for (const [kind, pattern] of outline.symbols) {
      const name = nameIn(row, pattern);
      if (!name) continue;
      marks.push({ kind, start: row.start, end: (rows[endOf(rows, at)] as Row).end, name, ...(owner && { owner }) });
      break;
    }
  }
  return marks;
}

function rowsOf(text: string): Row[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const row = { text: line.slice(0, MOST_COLUMNS), start, end: start + line.length };
    start = row.end + 1;
    return row;
  });
}

/** By row, the first one from there on that ends a comment of several lines; the row itself where none does. */
function endsOfBlocks(rows: readonly Row[], { block }: Outline): Int32Array {
  const ends = Int32Array.from(rows, (_, at) => at);
  let end: number | undefined;
  for (let at = rows.length - 1; block && at >= 0; at--) {
    if (block[1].test((rows[at] as Row).text)) end = at;
    ends[at] = end ?? at;
  }
  return ends;
}

/** The last row of the comment that begins in a row; undefined if none does. */
function lastOfComment(rows: readonly Row[], at: number, outline: Outline, ends: Int32Array): number | undefined {
  const { text } = rows[at] as Row;
  if (!outline.block?.[0].test(text)) return outline.comment.test(text) ? at : undefined;
  const end = ends[at] ?? at;
  let last = at;
  while (last < end && !outline.anew?.test((rows[last + 1] as Row).text)) last++;
  return last;
}

function nameIn({ text, start }: Row, pattern: RegExp): Span | undefined {
  const name = pattern.exec(text)?.[1];
  if (name === undefined) return undefined;
  const from = start + text.indexOf(name, text.search(pattern));
  return { start: from, end: from + name.length };
}

/** The last row of what begins in one: of those that are deeper, and the bracket or word that closes them. */
function endOf(rows: readonly Row[], at: number): number {
  const own = depthOf(rows[at] as Row);
  let end = at;
  for (let below = at + 1; below < rows.length; below++) {
    const row = rows[below] as Row;
    if (row.text.trim() === '') continue;
    const depth = depthOf(row);
    if (depth === own && CLOSES.test(row.text) && !GOES_ON.test(row.text)) return below;
    if (depth < own || (depth === own && !GOES_ON.test(row.text))) break;
    end = below;
  }
  return end;
}

function depthOf({ text }: Row): number {
  return text.length - text.trimStart().length;
}
