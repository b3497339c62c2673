import type { SourceFile } from '../files/source-file.ts';
import type { Lines } from './quoted-lines.ts';

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
