import { FileNames } from '../files/file-names.ts';

/** Files that texts name at most, and characters of a text that are read. */
const MOST_NAMED = 20;
const LONGEST_TEXT = 20_000;

interface PathRows {
  readonly paths: readonly string[];
  /** -1 if there is none. */
  rowOf(path: string): number;
}

/** The files of a folder that texts name, by their path or the end of it; as in titles, which end with one. */
export class NamedPaths {
  readonly #paths: PathRows;
  #names: FileNames<{ readonly path: string; readonly row: number }> | undefined;

  constructor(paths: PathRows) {
    this.#paths = paths;
  }

  /** Their places among the paths. */
  in(texts: readonly string[]): number[] {
    const rows = new Set<number>();
    for (const text of texts) {
      for (const name of namesIn(text.slice(0, LONGEST_TEXT))) {
        const row = this.#find(name);
        if (row !== undefined) rows.add(row);
        if (rows.size === MOST_NAMED) return [...rows];
      }
    }
    return [...rows];
  }

  /** Most names are whole paths, which need no other table than the paths themselves. */
  #find(name: string): number | undefined {
    if (!/[./]/.test(name)) return undefined;
    const row = this.#paths.rowOf(name);
    if (row >= 0) return row;
    this.#names ??= new FileNames(this.#paths.paths.map((path, place) => ({ path, row: place })));
    return this.#names.find(name)?.row;
  }
}

function* namesIn(text: string): Generator<string> {
  // A path with a space in it is told by what is around it.
  const place = text.lastIndexOf(' (');
  if (place >= 0 && text.endsWith(')')) yield text.slice(place + 2, -1);
  for (const [word] of text.matchAll(/[\p{L}\p{N}_$@+()[\]./-]{3,300}/gu))
    yield word.replace(/^[.,;:/([-]+|(?<![.,;:/)\]-])[.,;:/)\]-]+$/g, '');
}
