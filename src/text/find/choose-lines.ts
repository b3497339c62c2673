import type { Passage } from '../cut/passage.ts';
import { isQuotable } from '../files/read-source.ts';
import type { Lines } from './quoted-lines.ts';

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
