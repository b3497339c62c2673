import type { Span } from '../secrets/span.ts';
import type { Mark } from './marks.ts';

/** A symbol as the grammar sees it; names are source text, positions count UTF-16 units and lines from 0. */
export interface Match {
  readonly kind: Mark['kind'];
  readonly start: number;
  readonly end: number;
  readonly startRow: number;
  readonly startColumn: number;
  readonly endRow: number;
  readonly endColumn: number;
  readonly text: string;
  readonly name?: { readonly text: string; readonly row: number };
  readonly owner?: string;
  readonly title?: string;
}

/** Returns the matches for which marks of a text stand. */
export function matchesOf(marks: readonly Mark[], text: string): Match[] {
  const rows = new Rows(text);
  const textOf = ({ start, end }: Span): string => text.slice(start, end);
  return marks.map(({ kind, start, end, name, owner, title }) => {
    const startRow = rows.at(start);
    const startColumn = start - rows.startOf(startRow);
    const endRow = rows.at(end);
    const endColumn = end - rows.startOf(endRow);
    return {
      kind,
      start,
      end,
      startRow,
      startColumn,
      // A symbol whose last character is a line end does not reach into the next line.
      endRow: endColumn === 0 ? Math.max(startRow, endRow - 1) : endRow,
      endColumn,
      text: kind === 'import' ? textOf({ start, end }) : '',
      ...(name && { name: { text: textOf(name), row: rows.at(name.start) } }),
      ...(owner && { owner: textOf(owner) }),
      ...(title && { title: textOf(title) }),
    };
  });
}

/** The lines of a text by offsets. Those asked for one after the other are mostly near one another. */
class Rows {
  readonly #starts: number[] = [0];
  #last = 0;

  constructor(text: string) {
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) this.#starts.push(end + 1);
  }

  startOf(row: number): number {
    return this.#starts[row] as number;
  }

  at(offset: number): number {
    while (this.startOf(this.#last) > offset) this.#last--;
    while (this.#last + 1 < this.#starts.length && this.startOf(this.#last + 1) <= offset) this.#last++;
    return this.#last;
  }
}
