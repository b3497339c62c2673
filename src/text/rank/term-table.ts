import type { Passage } from '../chunk/chunk-file.ts';
import type { FileStanding } from '../files/file-role.ts';
import type { SourceFile } from '../files/source-file.ts';
import { splitWords } from '../words/split-words.ts';
import { termOf, termsOf } from '../words/terms.ts';

/** Where in a passage a word stands: it tells more in some places than in others. */
export const FIELDS = ['body', 'comment', 'signature', 'name', 'owner', 'path'] as const;
type Field = (typeof FIELDS)[number];

const MAX_SIGNATURE = 8;
const ENDS_SIGNATURE = /(?:[{:;)]|=>)$/;
const DOC_STRING = /^\s*[rRuUbB]{0,2}("""|''')/;

/** Returns the last line of a passage's signature, from its head on. */
export function signatureEnd({ file, head, end, kind }: Passage): number {
  if (kind === 'section' || kind === 'rest' || kind === 'constant') return head;
  const last = Math.min(end, head + MAX_SIGNATURE - 1);
  for (let row = head; row < last; row++) if (ENDS_SIGNATURE.test(withoutComment(file.lines[row] ?? ''))) return row;
  return last;
}

function withoutComment(line: string): string {
  const starts = [line.indexOf('//'), line.indexOf(' #')].filter((at) => at >= 0);
  return line.slice(0, Math.min(line.length, ...starts)).trimEnd();
}

/** Returns the lines of the string that documents a Python function or class: first and last. */
export function docString(passage: Passage, signature: number): readonly [number, number] | undefined {
  const { file, end } = passage;
  if (file.language?.grammar !== 'python') return undefined;
  let row = signature + 1;
  while (row <= end && (file.lines[row] ?? '').trim() === '') row++;
  const line = file.lines[row] ?? '';
  const mark = row <= end ? DOC_STRING.exec(line) : null;
  if (!mark) return undefined;
  const quotes = mark[1] ?? '';
  if (line.indexOf(quotes, mark[0].length) >= 0) return [row, row];
  for (let last = row + 1; last <= end; last++) if ((file.lines[last] ?? '').includes(quotes)) return [row, last];
  return [row, end];
}

/** Lines in a window: enough to see what a place is about, whatever the shape of the code there. */
const WINDOW_LINES = 40;
const FIELD = Object.fromEntries(FIELDS.map((field, number) => [field, number])) as Record<Field, number>;

/** A file's place in the table. */
export interface FileRows {
  readonly file: SourceFile;
  readonly standing: FileStanding;
  /** The number of its first line. */
  readonly first: number;
  /** The numbers of its windows, from first to before last; none unless it is code. */
  readonly windows: readonly [number, number];
}

/**
 * Which term stands where: the text of all passages as numbers, so that a question costs only as much as the places of
 * its own words. A row is a line of a file, or a name, an owner's name or a path, which are words without a line.
 */
export class TermTable {
  readonly files: FileRows[] = [];
  /** By passage: the number of its file. */
  readonly fileOf: Uint32Array;
  /** By row: its passage and its window, or -1, and its field. */
  readonly passageOf: Int32Array;
  readonly windowOf: Int32Array;
  readonly fieldOf: Uint8Array;
  /** By token: its row. Tokens count up in reading order. */
  readonly rowOf: Uint32Array;
  /** By passage and field: the number of tokens. */
  readonly lengths: Float32Array;
  /** By window: the number of tokens in its text, the names it defines, and its path. */
  readonly windowLengths: Float32Array;
  readonly windows: number;
  readonly #terms = new Map<string, number>();
  readonly #passagesWith = new Map<string, Uint32Array>();
  /** The number of terms that were asked for, and by passage which of them it was last found to have. */
  #asked = 0;
  readonly #askedOf: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #places: Uint32Array;

  constructor(
    passages: readonly Passage[],
    standings: ReadonlyMap<string, FileStanding>,
    isComment: (file: SourceFile, row: number) => boolean,
  ) {
    this.fileOf = new Uint32Array(passages.length);
    this.#askedOf = new Uint32Array(passages.length);
    let [lines, windows] = [0, 0];
    for (const { id, file } of passages) {
      if (this.files.at(-1)?.file !== file) {
        const standing = standings.get(file.path) ?? 'code';
        const count = standing === 'code' ? Math.ceil(file.lines.length / WINDOW_LINES) : 0;
        this.files.push({ file, standing, first: lines, windows: [windows, windows + count] });
        lines += file.lines.length;
        windows += count;
      }
      this.fileOf[id] = this.files.length - 1;
    }
    this.windows = windows;
    const rows = lines + 3 * passages.length + windows;
    this.passageOf = new Int32Array(rows).fill(-1);
    this.windowOf = new Int32Array(rows).fill(-1);
    this.fieldOf = new Uint8Array(rows);
    this.lengths = new Float32Array(passages.length * FIELDS.length);
    this.windowLengths = new Float32Array(windows * 3);
    const tokens = new Tokens(this.#terms);
    this.#markLines(passages, isComment);
    for (const { file, first } of this.files)
      file.lines.forEach((line, row) => {
        if (this.passageOf[first + row] !== -1) tokens.add(first + row, termsOf(line));
      });
    this.#addNames(passages, lines, tokens);
    this.rowOf = tokens.rows();
    [this.#starts, this.#places] = tokens.byTerm();
    this.#count();
  }

  /** Returns the tokens that are a term, in reading order. */
  tokensOf(term: string): Uint32Array {
    const number = this.#terms.get(term);
    if (number === undefined) return this.#places.subarray(0, 0);
    return this.#places.subarray(this.#starts[number], this.#starts[number + 1]);
  }

  /** Returns the passages that have a term, each once. */
  passagesWith(term: string): Uint32Array {
    let passages = this.#passagesWith.get(term);
    if (!passages) {
      const tokens = this.tokensOf(term);
      const found: number[] = [];
      this.#asked++;
      for (let at = 0; at < tokens.length; at++) {
        const passage = this.passageOf[this.rowOf[tokens[at] as number] as number] as number;
        if (passage < 0 || this.#askedOf[passage] === this.#asked) continue;
        this.#askedOf[passage] = this.#asked;
        found.push(passage);
      }
      passages = new Uint32Array(found);
      this.#passagesWith.set(term, passages);
    }
    return passages;
  }

  /** Returns how much it tells that a passage has a term, by how few do: inverse document frequency, as in BM25. */
  rarityOf(term: string): number {
    const count = this.passagesWith(term).length;
    return Math.log(1 + (this.fileOf.length - count + 0.5) / (count + 0.5));
  }

  /** Returns the windows that a passage's lines are in: first and last; undefined unless it is code. */
  windowsOf({ id, start, end }: Passage): readonly [number, number] | undefined {
    const file = this.files[this.fileOf[id] ?? 0];
    if (!file || file.windows[0] === file.windows[1]) return undefined;
    return [file.windows[0] + Math.floor(start / WINDOW_LINES), file.windows[0] + Math.floor(end / WINDOW_LINES)];
  }

  /** Of each line its passage, its window and its field. Passages come outer ones first, so that the innermost wins. */
  #markLines(passages: readonly Passage[], isComment: (file: SourceFile, row: number) => boolean): void {
    for (const passage of passages) {
      const { file, first, windows } = this.files[this.fileOf[passage.id] ?? 0] as FileRows;
      const signature = signatureEnd(passage);
      for (let row = passage.start; row <= passage.end && row < file.lines.length; row++) {
        this.passageOf[first + row] = passage.id;
        if (windows[0] < windows[1]) this.windowOf[first + row] = windows[0] + Math.floor(row / WINDOW_LINES);
        const isHead = row >= passage.head && row <= signature && passage.kind !== 'rest';
        this.fieldOf[first + row] = isHead ? FIELD.signature : isComment(file, row) ? FIELD.comment : FIELD.body;
      }
      const [from, to] = docString(passage, signature) ?? [0, -1];
      for (let row = from; row <= to; row++) this.fieldOf[first + row] = FIELD.comment;
    }
  }

  /** Adds what has no line of its own: of each passage its name, its owner and its path, of each window its path. */
  #addNames(passages: readonly Passage[], from: number, tokens: Tokens): void {
    let row = from;
    const paths = new Map<SourceFile, string[]>();
    for (const { file } of this.files) paths.set(file, pathTerms(file.path));
    for (const passage of passages) {
      const file = this.files[this.fileOf[passage.id] ?? 0] as FileRows;
      const owner = passage.identifier === undefined ? '' : passage.name.slice(0, -passage.identifier.length);
      const name = passage.identifier ?? (passage.kind === 'rest' ? '' : passage.name);
      const words = [nameTerms(name), termsOf(owner), paths.get(passage.file) ?? []];
      [FIELD.name, FIELD.owner, FIELD.path].forEach((field, place) => {
        this.passageOf[row] = passage.id;
        this.fieldOf[row] = field;
        if (field === FIELD.name) this.windowOf[row] = this.windowOf[file.first + passage.head] ?? -1;
        tokens.add(row++, words[place] ?? []);
      });
    }
    for (const { file, windows } of this.files)
      for (let window = windows[0]; window < windows[1]; window++) {
        this.windowOf[row] = window;
        this.fieldOf[row] = FIELD.path;
        tokens.add(row++, paths.get(file) ?? []);
      }
  }

  #count(): void {
    for (let token = 0; token < this.rowOf.length; token++) {
      const row = this.rowOf[token] as number;
      const field = this.fieldOf[row] ?? 0;
      const passage = this.passageOf[row] ?? -1;
      const window = this.windowOf[row] ?? -1;
      if (passage >= 0) increase(this.lengths, passage * FIELDS.length + field);
      if (window >= 0) increase(this.windowLengths, window * 3 + windowField(field));
    }
  }
}

/** A window has three fields: its text, the names that it defines, its path. */
export function windowField(field: number): number {
  return field === FIELD.name ? 1 : field === FIELD.path ? 2 : 0;
}

function increase(counts: Float32Array | Uint32Array, at: number, by = 1): void {
  counts[at] = (counts[at] ?? 0) + by;
}

/** Terms as they are read, to be sorted by term. */
class Tokens {
  readonly #terms: Map<string, number>;
  readonly #ofToken: number[] = [];
  readonly #rows: number[] = [];

  constructor(terms: Map<string, number>) {
    this.#terms = terms;
  }

  add(row: number, terms: readonly string[]): void {
    for (const term of terms) {
      let number = this.#terms.get(term);
      if (number === undefined) {
        number = this.#terms.size;
        this.#terms.set(term, number);
      }
      this.#ofToken.push(number);
      this.#rows.push(row);
    }
  }

  rows(): Uint32Array {
    return new Uint32Array(this.#rows);
  }

  /** Returns where each term's tokens begin, and all tokens by term. */
  byTerm(): [Uint32Array, Uint32Array] {
    const starts = new Uint32Array(this.#terms.size + 1);
    for (const term of this.#ofToken) increase(starts, term + 1);
    for (let term = 0; term < this.#terms.size; term++) increase(starts, term + 1, starts[term]);
    const next = starts.slice();
    const places = new Uint32Array(this.#ofToken.length);
    this.#ofToken.forEach((term, token) => {
      places[next[term] ?? 0] = token;
      increase(next, term);
    });
    return [starts, places];
  }
}

/** Returns a name's terms and the name as one word: a question about `resetTimeout` means exactly that. */
function nameTerms(name: string): string[] {
  const words = splitWords(name);
  const whole = words.length > 1 && words.length < 6 ? termOf(words.join('')) : undefined;
  return [...termsOf(name), ...(whole === undefined ? [] : [whole])];
}

/** The file's own name counts twice: it says more than its folders. */
function pathTerms(path: string): string[] {
  const bare = path.replace(/\.[^./]+$/, '');
  return [...termsOf(bare), ...termsOf(bare.slice(bare.lastIndexOf('/') + 1))];
}
