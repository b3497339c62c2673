import type { Passage } from '../chunk/chunk-file.ts';
import { isQuotable } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';

/** The longest quotation: a reader follows the link for more. */
export const MAX_QUOTED_LINES = 12;

/** Options of choosing the lines of a passage. */
export interface Choice {
  /** Returns how informative a line is, from 0. */
  readonly weigh: (row: number) => number;
  /** Tells whether a line must not be quoted because it already was. */
  readonly taken: (row: number) => boolean;
  /** Tells whether a line is nothing but a comment. */
  readonly isComment: (row: number) => boolean;
  /** A line that must be included. */
  readonly around?: number;
  /** Lines at most; at least 1. */
  readonly most?: number;
}

/**
 * The most informative run of lines of a passage, at most twelve: all of a short one, the best part of a long one. It does
 * not begin in the middle of a comment, nor end in one that it does not consist of. Undefined if nothing is left to quote.
 */
export function chooseLines(
  passage: Passage,
  { weigh, taken, isComment, around, most = MAX_QUOTED_LINES }: Choice,
): Lines | undefined {
  const { file, start, end } = passage;
  const from = around === undefined ? start : Math.max(start, around - most + 1);
  const to = around === undefined ? end : Math.min(end, around + most - 1);
  const weights: number[] = [];
  for (let row = from; row <= to; row++)
    weights.push(!isQuotable(file.lines[row] ?? '') || taken(row) ? Number.NaN : weigh(row));
  let best: Lines | undefined;
  let bestScore = 0;
  for (let first = 0; first < weights.length; first++) {
    if (isComment(from + first) && isComment(from + first - 1)) continue;
    let score = 0;
    for (let last = first; last < weights.length && last - first < most; last++) {
      const weight = weights[last] ?? Number.NaN;
      if (Number.isNaN(weight)) break; // a quotation has no holes
      score += weight;
      const full = last === weights.length - 1 || last - first === most - 1 || Number.isNaN(weights[last + 1] ?? 0);
      if (!full || score <= bestScore) continue;
      if (around !== undefined && (from + first > around || from + last < around)) continue;
      bestScore = score;
      best = { file, start: from + first, end: from + last };
    }
  }
  return best && trim(withoutHalf(best, isComment), around);
}

/** Without the beginning of a comment at its end, unless there is nothing else. */
function withoutHalf({ file, start, end }: Lines, isComment: (row: number) => boolean): Lines {
  let last = end;
  if (isComment(end + 1)) while (last >= start && isComment(last)) last--;
  return { file, start, end: last < start ? end : last };
}

/** Without the empty lines and lone brackets at its ends; undefined if nothing else is left, or no word. */
function trim({ file, start, end }: Lines, around: number | undefined): Lines | undefined {
  const says = (row: number): boolean => !/^[\s)\]};,*]*(?:(?<=\*)\/\s*)?$/.test(file.lines[row] ?? '');
  let [first, last] = [start, end];
  while (first <= last && first !== around && !says(first)) first++;
  while (last >= first && last !== around && (file.lines[last] ?? '').trim() === '') last--;
  const lines = file.lines.slice(first, last + 1);
  return lines.some((line) => /[\p{L}\p{N}]/u.test(line)) ? { file, start: first, end: last } : undefined;
}

/** The cost of another window: a reader begins anew with each. In the unit of the lines' values. */
export const OPENING = 0.8;

export interface WindowChoice {
  readonly file: SourceFile;
  /** The rows to choose from, from 0, inclusive. */
  readonly from: number;
  readonly to: number;
  /** Returns the value of a row; NaN if it must not be quoted. */
  readonly value: (row: number) => number;
  /** Tells whether no window may go on from the row before to this one; nowhere by default. */
  readonly begins?: (row: number) => boolean;
  /** Lines at most, in all windows together. */
  readonly most: number;
}

/**
 * The runs of lines that are worth most together, in the order of the file. Each line counts with its value, each run
 * costs `OPENING`. Exact, by dynamic programming over rows and lines left: time and memory grow with rows × `most`.
 */
export function chooseWindows({ file, from, to, value, most, begins }: WindowChoice): Lines[] {
  const rows = to - from + 1;
  const width = most + 1;
  if (rows <= 0 || most <= 0) return [];
  // 1 where the best way to be inside (at a row, with so many lines) began there; to be outside, came from inside.
  const began = new Uint8Array(rows * width);
  const ended = new Uint8Array(rows * width);
  let outside = new Float64Array(width);
  let inside = new Float64Array(width).fill(Number.NEGATIVE_INFINITY);
  // Those of the next row, in turn: a file may have thousands of rows.
  let out = new Float64Array(width);
  let next = new Float64Array(width);
  for (let at = 0; at < rows; at++) {
    const worth = value(from + at);
    const isApart = begins?.(from + at) ?? false;
    next.fill(Number.NEGATIVE_INFINITY);
    const place = at * width;
    for (let lines = 0; lines < width; lines++) {
      const stay = outside[lines] as number;
      const leave = inside[lines] as number;
      if (leave > stay) ended[place + lines] = 1;
      out[lines] = Math.max(leave, stay);
    }
    for (let lines = 1; lines < width && !Number.isNaN(worth); lines++) {
      const open = (outside[lines - 1] as number) - OPENING;
      const go = isApart ? Number.NEGATIVE_INFINITY : (inside[lines - 1] as number);
      if (open > go) began[place + lines] = 1;
      next[lines] = Math.max(open, go) + worth;
    }
    [outside, out] = [out, outside];
    [inside, next] = [next, inside];
  }
  let lines = 0;
  let isInside = false;
  for (let one = 0; one < width; one++) {
    const bestYet = isInside ? (inside[lines] ?? 0) : (outside[lines] ?? 0);
    if ((outside[one] ?? 0) > bestYet) [lines, isInside] = [one, false];
    if ((inside[one] ?? 0) > Math.max(bestYet, outside[one] ?? 0)) [lines, isInside] = [one, true];
  }
  const windows: Lines[] = [];
  let end = rows - 1;
  for (let at = rows - 1; at >= 0; at--) {
    if (!isInside) {
      if (ended[at * width + lines] === 1) {
        isInside = true;
        end = at - 1;
      }
      continue;
    }
    const opened = began[at * width + lines] === 1;
    lines--;
    if (!opened) continue;
    windows.push({ file, start: from + at, end: from + end });
    isInside = false;
  }
  return windows.reverse();
}

/** A run of lines of one file; from 0, inclusive. */
export interface Lines {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
}

/** The lines that have already been quoted. */
export class QuotedLines {
  readonly #rows = new Map<string, Set<number>>();

  has(file: SourceFile, row: number): boolean {
    return this.#rows.get(file.path)?.has(row) ?? false;
  }

  add({ file, start, end }: Lines): void {
    let rows = this.#rows.get(file.path);
    if (!rows) {
      rows = new Set();
      this.#rows.set(file.path, rows);
    }
    for (let row = start; row <= end; row++) rows.add(row);
  }
}
