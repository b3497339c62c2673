import { countTokens, type QuotationRequest, type WorkspaceQuotation } from '../../core/ports/workspace-text.ts';
import type { Passage } from '../chunk/chunk-file.ts';
import { isQuotable } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';
import { chooseLines, chooseWindows, type Lines, QuotedLines } from './choose-lines.ts';
import { codeRow } from './plan-document.ts';
import { type Research, researcher } from './research.ts';
import { firstLevel, isElsewhere, subjectOf } from './topics.ts';

/** The most files that a text names, and the most passages quoted from each. */
const MOST_NAMED = 6;
const QUOTES_A_FILE = 2;
const LONGEST_TEXT = 20_000;
/** The room for quotations, in tokens: for the question and the first level, on which all others rest, and below it. */
const ROOM = { upper: 1200, below: 400 } as const;

/** Finds quotations of the workspace for another model. The result depends on the files and the request alone. */
export class QuotationFinder {
  readonly #index: WorkspaceIndex;
  readonly #research: (text: string) => Research;

  constructor(index: WorkspaceIndex) {
    this.#index = index;
    this.#research = researcher(index);
  }

  find({ question, titles, naming, shown }: QuotationRequest): WorkspaceQuotation[] {
    // Words closer to the node come first: only so many are searched for.
    const both = this.#research([...titles.toReversed(), question].join(' '));
    const quoted = this.#linesOf(shown);
    if (naming) {
      const files = namedFiles(this.#index, naming);
      return files.flatMap((file) => this.#quoteFile(file, both, quoted)).map(quotationOf);
    }
    // The researcher without a model finds nothing either; what the workspace is, models are told all the same.
    if (isElsewhere(this.#research(question)) && isElsewhere(both)) return [];
    const { passages: named } = subjectOf(titles.at(-1) ?? question, this.#index);
    const room = titles.length <= 1 ? ROOM.upper : ROOM.below;
    return chooseContext({ index: this.#index, named, research: both, quoted, room }).map(quotationOf);
  }

  #linesOf(shown: QuotationRequest['shown']): QuotedLines {
    const quoted = new QuotedLines();
    for (const { path, from, to } of shown) {
      const file = this.#index.fileNamed(path);
      if (file?.path === path) quoted.add({ file, start: from - 1, end: Math.min(to, file.lines.length) - 1 });
    }
    return quoted;
  }

  /** Quotes what a file says about the words, or else its beginning. */
  #quoteFile(file: SourceFile, both: Research, quoted: QuotedLines): Lines[] {
    const hits = both.found.hits.filter(({ passage }) => passage.file === file).map(({ passage }) => passage);
    const passages = hits.length > 0 ? hits : this.#index.passages.filter((passage) => passage.file === file);
    const chosen: Lines[] = [];
    for (const passage of passages) {
      if (chosen.length === QUOTES_A_FILE) break;
      const lines = chooseLines(passage, {
        weigh: (row) => both.lines.of(file, row) + (row === passage.head ? 1 : 0),
        taken: (row) => quoted.has(file, row),
        isComment: (row) => this.#index.isComment(file, row),
      });
      if (!lines) continue;
      quoted.add(lines);
      chosen.push(lines);
    }
    return chosen;
  }
}

function quotationOf({ file, start, end }: Lines): WorkspaceQuotation {
  return { path: file.path, from: start + 1, to: end + 1, lines: file.lines.slice(start, end + 1) };
}

/** Returns the files named in texts, last text first: it is the closest to the question. */
function namedFiles(index: WorkspaceIndex, texts: readonly string[]): SourceFile[] {
  const files = new Set<SourceFile>();
  for (const text of texts.toReversed())
    for (const [word] of text.slice(0, LONGEST_TEXT).matchAll(/[\p{L}\p{N}_$@+()[\]./-]{3,300}/gu)) {
      const file = index.fileNamed(word.replace(/^[.,;:/([-]+|(?<![.,;:/)\]-])[.,;:/)\]-]+$/g, ''));
      if (file) files.add(file);
      if (files.size === MOST_NAMED) return [...files];
    }
  return [...files];
}

/** A definition of at most so many lines is quoted whole, if there is room: a reader of code seldom writes longer ones. */
const MOST_WHOLE = 80;
/** The most lines of one that is not, in runs of at least two. */
const MOST_OF_LONG = 32;
/** The value of a signature beyond its words, as in `LineValues`. */
const HEAD = 3;
/** The length of the place and the fence of a quotation, in tokens. */
const AROUND = 16;
/** In less room than this, nothing is said. */
const LEAST_ROOM = 40;
/** Of tests and documents, which repeat the words of a question, where there is code. */
const MOST_BESIDE = 1;

interface ContextInput {
  readonly index: WorkspaceIndex;
  /** The passages that the node's title names, if any. */
  readonly named: readonly Passage[];
  /** Research on the titles down to the node, and the question. */
  readonly research: Research;
  /** The quotations that the conversation already has. */
  readonly quoted: QuotedLines;
  /** In tokens. */
  readonly room: number;
}

/**
 * The definitions that the researcher without a model would begin with, in its order, as many as there is room for: whole, or the
 * lines that decide of what is too long. None that the conversation already has.
 */
function chooseContext({ index, named, research, quoted, room }: ContextInput): Lines[] {
  const found = research.concepts.length === 0 ? [] : firstLevel(index, research).map(({ passage }) => passage);
  const taken = new QuotedLines();
  const chosen: Lines[] = [];
  let left = room;
  let beside = found.some(isCode) ? MOST_BESIDE : found.length;
  for (const passage of new Set([...named, ...found])) {
    if (left < LEAST_ROOM) break;
    if (!isCode(passage) && !named.includes(passage) && --beside < 0) continue;
    const { file } = passage;
    const isFree = (row: number): boolean =>
      isQuotable(file.lines[row] ?? '') && !quoted.has(file, row) && !taken.has(file, row);
    // A passage too long for the room that is left may still be told in part, and a shorter one further down whole.
    const forms = [wholeOf(passage, index, isFree), partsOf(passage, research, isFree)];
    const lines = forms.find((form) => form.length > 0 && sizeOf(form) <= left) ?? [];
    left -= sizeOf(lines);
    for (const each of lines) taken.add(each);
    chosen.push(...lines);
  }
  return chosen;
}

function isCode({ file }: Passage): boolean {
  return file.role === 'source' || file.role === 'config';
}

/** Returns a definition from its signature to its end; nothing if it is too long, or some of it must not be quoted. */
function wholeOf(passage: Passage, index: WorkspaceIndex, isFree: (row: number) => boolean): Lines[] {
  const { file, kind } = passage;
  const start = codeRow(passage, index);
  let { end } = passage;
  while (end > start && (file.lines[end] ?? '').trim() === '') end--;
  if (kind === 'rest' || end - start + 1 > MOST_WHOLE) return [];
  for (let row = start; row <= end; row++) if (!isFree(row)) return [];
  return [{ file, start, end }];
}

/** Finds what decides in a definition, with its signature; of lines without a name, without the definitions in them. */
function partsOf(
  { file, kind, start, head, end, inner }: Passage,
  research: Research,
  isFree: (row: number) => boolean,
): Lines[] {
  const isRest = kind === 'rest';
  const value = (row: number): number => {
    const isOthers = isRest && inner.some(([first, last]) => row >= first && row <= last);
    if (isOthers || !isFree(row)) return Number.NaN;
    return research.values.of(file, row) + (row === head && !isRest ? HEAD : 0);
  };
  const windows = chooseWindows({ file, from: isRest ? start : head, to: end, value, most: MOST_OF_LONG });
  return windows.filter((lines) => lines.end > lines.start);
}

function sizeOf(quotations: readonly Lines[]): number {
  return quotations.reduce(
    (sum, { file, start, end }) => sum + AROUND + countTokens(file.lines.slice(start, end + 1).join('\n')),
    0,
  );
}
