import type { Piece } from './passage.ts';

const MAX_LINES = 40;

/**
 * Cuts what no symbol or heading covers: runs of lines that end at an empty line once they are long enough. `name` is
 * the file's.
 */
export function cutRest(lines: readonly string[], covered: readonly Piece[], name: string): Piece[] {
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
