import type { FileLines } from '../../core/citations/citation.ts';
import { type Words, wordsOf } from '../../core/citations/quotation.ts';
import type { WorkspaceText } from '../../core/ports/workspace-text.ts';

/** A file's current text, and a function that returns its earlier one. */
export interface CitedFile {
  /** Undefined if it cannot be read as a source. */
  readonly now: Words | undefined;
  /** Its lines as they are; none if it cannot be read. */
  readonly lines: readonly string[];
  readonly secrets: number;
  readonly before: () => Promise<Words | undefined>;
}

/** The most other files that are looked into for one citation, and for one document. */
const MOST_OTHERS = 12;
const MOST_LOOKS = 200;

/** The files that a document cites, or may mean. */
export class CitedSources {
  readonly #text: WorkspaceText;
  readonly #cited: ReadonlySet<string>;
  readonly #named = new Map<string, Promise<readonly string[]>>();
  #looks = 0;
  #last: { readonly path: string; readonly file: Promise<CitedFile> } | undefined;

  constructor(text: WorkspaceText, cited: readonly FileLines[]) {
    this.#text = text;
    this.#cited = new Set(cited.map(({ path }) => path));
  }

  /** Opens a file; only the last one is kept. */
  open(path: string): Promise<CitedFile> {
    if (this.#last?.path !== path) this.#last = { path, file: this.#read(path) };
    return this.#last.file;
  }

  async #read(path: string): Promise<CitedFile> {
    const found = await this.#text.read(path);
    let before: Promise<Words | undefined> | undefined;
    return {
      now: 'text' in found ? wordsOf(found.text) : undefined,
      lines: 'text' in found ? linesOf(found.text) : [],
      secrets: 'text' in found ? (found.secrets ?? 0) : 0,
      before: () => {
        before ??= this.#text.asSearched(path).then((old) => (old === undefined ? undefined : wordsOf(old)));
        return before;
      },
    };
  }

  /** The other files that may be meant by a path: those that the document cites, and those with its name. */
  async others(path: string): Promise<string[]> {
    const all = new Set([...(await this.#withNameOf(path)), ...this.#cited]);
    all.delete(path);
    const others = [...all].slice(0, MOST_OTHERS);
    this.#looks += others.length;
    return this.#looks > MOST_LOOKS ? [] : others;
  }

  /** The one file that is meant by a path of which steps are missing, or too many. */
  async meant(path: string): Promise<string | undefined> {
    const fits = (other: string): boolean => other.endsWith(`/${path}`) || path.endsWith(`/${other}`);
    const [only, ...more] = (await this.#withNameOf(path)).filter((other) => other !== path && fits(other));
    return more.length === 0 ? only : undefined;
  }

  #withNameOf(path: string): Promise<readonly string[]> {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const known = this.#named.get(name) ?? this.#text.named(name).catch(() => []);
    this.#named.set(name, known);
    return known;
  }
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
