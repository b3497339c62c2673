import { FileNames } from '../files/file-names.ts';

/** Files that texts name at most, and characters of a text that are read. */
const MOST_NAMED = 20;
const LONGEST_TEXT = 20_000;

/** The files of a folder that texts name, by their path or the end of it; as in titles, which end with one. */
export class NamedPaths {
  readonly #names: FileNames<{ readonly path: string; readonly row: number }>;

  constructor(paths: readonly string[]) {
    this.#names = new FileNames(paths.map((path, row) => ({ path, row })));
  }

  /** Their places among the paths. */
  in(texts: readonly string[]): number[] {
    const rows = new Set<number>();
    for (const text of texts) {
      for (const name of namesIn(text.slice(0, LONGEST_TEXT))) {
        const found = this.#names.find(name);
        if (found) rows.add(found.row);
        if (rows.size === MOST_NAMED) return [...rows];
      }
    }
    return [...rows];
  }
}

function* namesIn(text: string): Generator<string> {
  // A path with a space in it is told by what is around it.
  const place = text.lastIndexOf(' (');
  if (place >= 0 && text.endsWith(')')) yield text.slice(place + 2, -1);
  for (const [word] of text.matchAll(/[\p{L}\p{N}_$@+()[\]./-]{3,300}/gu))
    yield word.replace(/^[.,;:/([-]+|(?<![.,;:/)\]-])[.,;:/)\]-]+$/g, '');
}
