import type { SourceFile } from '../files/source-file.ts';

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
