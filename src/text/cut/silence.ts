import type { Match } from './match.ts';

type Span = Pick<Match, 'startRow' | 'startColumn' | 'endRow' | 'endColumn'>;

/** Where names in a file of code are only words: in comments and in strings. */
export class Silence {
  readonly #comments = new Set<number>();
  readonly #strings = new Map<number, [number, number][]>();

  /** A comment with no code on its lines. */
  addComment({ startRow, endRow }: Span): void {
    for (let row = startRow; row <= endRow; row++) this.#comments.add(row);
  }

  addString({ startRow, startColumn, endRow, endColumn }: Span): void {
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
