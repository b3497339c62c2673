import type { Passage } from '../chunk/chunk-file.ts';
import { isQuotable } from '../files/read-source.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { Use, WorkspaceIndex } from '../index/workspace-index.ts';
import { termsOf } from '../words/terms.ts';
import type { Lines, QuotedLines } from './choose-lines.ts';
import { chooseLines, chooseWindows, MAX_QUOTED_LINES } from './choose-lines.ts';
import type { Research } from './research.ts';
import { labelOf, type Subject } from './topics.ts';

const MAX_QUOTES_A_FILE = 2;
const MOST = { defined: 4, docs: 1, used: 2, tested: 1 } as const;
/** Lines of a definition at most: a reader follows the link for more. */
const MAX_DEFINED = 30;
/** Fewer lines than these define nothing. */
const MIN_DEFINED = 6;
/** A symbol of at most so many lines is quoted whole. */
const MAX_WHOLE = 25;
/** The values of a signature, and of the rest of a short symbol, beyond their words, as in `LineValues`. */
const HEAD = 3;
const WHOLE = 1;
const SAYS = /[\p{L}\p{N}]/u;
const ENDS = /^\s*(?:end|else|begin|ensure|do|then|fi|done|esac)\W*$/;
const MAX_MORE_USES = 6;
/** Lines around a use: enough to see its purpose. */
const USE_LINES = 3;

/** Everything that a document is made from. */
interface PlanInput {
  readonly index: WorkspaceIndex;
  readonly subject: Subject;
  /** Research on the question. */
  readonly question: Research;
  /** Research on the subject's words and the question's. */
  readonly both: Research;
  /** The lines that ancestors and earlier siblings quote: never quoted again. */
  readonly quoted: QuotedLines;
  /** The passages that other nodes are about: left to them. */
  readonly reserved: ReadonlySet<number>;
  /** True if the question asks for uses of the subject: then they are left to other nodes in any case. */
  readonly isUseApart?: boolean;
}

/** Decides what a document quotes. Deterministic. */
export function planDocument(input: PlanInput): DocumentPlan {
  const planner = new Planner(input);
  const { subject } = input;
  if (subject.passages.length > 0) planner.defineNamed();
  else planner.defineWords();
  planner.quoteDocs();
  let moreUses = planner.quoteUses('used');
  planner.quoteUses('tested');
  if (planner.count('tested') === 0) planner.quoteTests();
  const { quotes } = planner;
  // It is better to repeat another node's lines than to be a leaf.
  if (quotes.length < 2 && !input.isUseApart) {
    planner.keepReserved = false;
    moreUses = planner.quoteUses('used');
  }
  return {
    subject,
    quotes,
    moreUses,
    readFirst: planReading(input, quotes),
    missing: [...new Set([...input.question.missing, ...(subject.passages.length > 0 ? [] : input.both.missing)])],
  };
}

class Planner {
  readonly quotes: Quote[] = [];
  keepReserved = true;
  readonly #input: PlanInput;
  readonly #subject: ReadonlySet<number>;

  constructor(input: PlanInput) {
    this.#input = input;
    this.#subject = new Set(input.subject.passages.map(({ id }) => id));
  }

  count(lane: Lane): number {
    return this.quotes.filter((quote) => quote.lane === lane).length;
  }

  /** The symbol or section named in the title, and the lines of its file that decide; then others of the same name. */
  defineNamed(): void {
    const { index, subject, both } = this.#input;
    for (const passage of subject.passages) this.#define(passage);
    const [first] = subject.passages;
    if (!first?.identifier || this.#linesLeft() < MIN_DEFINED) return;
    const others = index.names
      .namesakes(first)
      .filter((other) => other.file.role === first.file.role && this.#isFree(other) && both.relevance(other) > 0.15);
    for (const other of byRelevance(others, both).slice(0, 2)) this.#define(other);
  }

  /** Quotes the definitions that a person's own words find. */
  defineWords(): void {
    const { both } = this.#input;
    const hits = both.found.hits.filter(
      ({ passage }) => passage.file.role === 'source' || passage.file.role === 'config',
    );
    for (const { passage } of hits.slice(0, 12)) this.#quote('defined', passage, { head: true });
  }

  quoteDocs(): void {
    const { both, subject } = this.#input;
    const needed = Math.min(2, both.concepts.length);
    const hits = both.found.hits.filter(
      ({ passage, concepts }) =>
        passage.file.role === 'docs' &&
        this.#isFree(passage) &&
        (concepts.size >= needed || both.relevance(passage) > 0.5) &&
        (subject.passages.length === 0 || both.relevance(passage) > 0.2),
    );
    for (const { passage } of hits.slice(0, 6)) this.#quote('docs', passage);
  }

  /** Where other code names the subject; returns the places that are not quoted. */
  quoteUses(lane: 'used' | 'tested'): Use[] {
    const { index, question } = this.#input;
    const role = lane === 'used' ? 'source' : 'test';
    const uses = usesOfAll(this.#symbols(), index).filter(
      ({ passage }) => passage.file.role === role && !this.#subject.has(passage.id) && !this.#isSubjects(passage),
    );
    // The leftover lines at a file's top are mostly imports: they say that it is used, not how.
    const worth = ({ passage, reached }: Use): number =>
      question.relevance(passage) + (reached ? 0.4 : 0) - (passage.kind === 'rest' ? 1 : 0);
    uses.sort((a, b) => worth(b) - worth(a) || a.passage.id - b.passage.id);
    const more: Use[] = [];
    for (const use of uses.slice(0, 40)) {
      const quoted =
        use.passage.kind !== 'rest' && this.#isFree(use.passage) && this.#quote(lane, use.passage, { around: use.row });
      if (!quoted && use.passage.kind !== 'rest' && more.length < MAX_MORE_USES) more.push(use);
    }
    return more;
  }

  /** Tests of the subject that do not name it: those with every word of its name, or most of a person's. */
  quoteTests(): void {
    const { both, subject } = this.#input;
    const own = new Set(termsOf(subject.passages.map(({ identifier, name }) => identifier ?? name).join(' ')));
    const places = both.concepts.flatMap(({ term }, place) => (own.has(term) ? [place] : []));
    const hits = both.found.hits.filter(
      ({ passage, concepts }) =>
        passage.file.role === 'test' &&
        this.#isFree(passage) &&
        concepts.size >= 2 &&
        places.every((place) => concepts.has(place)) &&
        both.relevance(passage) > 0.3,
    );
    for (const { passage } of hits.slice(0, 6)) this.#quote('tested', passage, { head: true });
  }

  /** Returns the symbols whose uses to look for: the subject, or the best that a person's words found. */
  #symbols(): readonly Passage[] {
    const { subject } = this.#input;
    return subject.passages.length > 0 ? subject.passages : this.quotes.slice(0, 2).map(({ passage }) => passage);
  }

  /** A passage inside the subject, or around it, uses it by its nature. */
  #isSubjects(passage: Passage): boolean {
    return this.#input.subject.passages.some(
      ({ file, start, end }) => file === passage.file && passage.start >= start && passage.end <= end,
    );
  }

  #isFree({ id }: Passage): boolean {
    return !(this.keepReserved && this.#input.reserved.has(id)) && !this.#subject.has(id);
  }

  #linesLeft(): number {
    const defined = this.quotes.filter(({ lane }) => lane === 'defined');
    return MAX_DEFINED - defined.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  }

  /** The whole of a short symbol, else its signature and the windows that decide; then those of the file around it. */
  #define(passage: Passage): void {
    const { quoted, question, index } = this.#input;
    const { file } = passage;
    const code = codeRow(passage, index);
    const isShort = passage.end - code + 1 <= MAX_WHOLE;
    this.#defineWhole(passage, code);
    const apart = this.#passagesOfOthers(file);
    const value = (row: number): number => {
      const isFree = !quoted.has(file, row) && !this.quotes.some((quote) => quote.file === file && holds(quote, row));
      if (!isFree || !isQuotable(file.lines[row] ?? '')) return Number.NaN;
      const worth = question.values.of(file, row);
      if (row === passage.head && passage.kind !== 'rest') return worth + HEAD;
      if (row >= code && row <= passage.end) return isShort && passage.kind !== 'rest' ? worth + WHOLE : worth;
      return apart.some((other) => holds(other, row)) ? Number.NaN : worth;
    };
    const begins = beginnings(file, index);
    const windows = chooseWindows({ file, from: 0, to: file.lines.length - 1, value, most: this.#linesLeft(), begins });
    for (const window of windows.filter(saysSomething))
      this.quotes.push({ ...window, lane: 'defined', passage: passageAround(window, passage, index), named: false });
    this.quotes.sort(byPlace);
  }

  /** Quotes a short symbol from its signature to its end, unless lines of it are quoted already. */
  #defineWhole(passage: Passage, code: number): void {
    const { file, end, kind } = passage;
    if (kind === 'rest' || end - code + 1 > MAX_WHOLE) return;
    for (let row = code; row <= end; row++)
      if (this.#input.quoted.has(file, row) || !isQuotable(file.lines[row] ?? '')) return;
    this.quotes.push({ file, start: code, end, lane: 'defined', passage, named: false });
  }

  /** Returns the passages of a file that other nodes are about. */
  #passagesOfOthers(file: SourceFile): Passage[] {
    const { reserved, index } = this.#input;
    return [...reserved].flatMap((id) => {
      const passage = index.passages[id];
      return passage?.file === file && !this.#subject.has(id) ? [passage] : [];
    });
  }

  #quote(lane: Lane, passage: Passage, { head = false, around }: { head?: boolean; around?: number } = {}): boolean {
    const { file } = passage;
    if (this.count(lane) >= MOST[lane]) return false;
    if (this.quotes.filter((quote) => quote.file === file).length >= MAX_QUOTES_A_FILE) return false;
    const { quoted, both, index } = this.#input;
    const skip = passage.kind === 'class' && passage.end - passage.start >= MAX_QUOTED_LINES ? passage.inner : [];
    const lines = chooseLines(passage, {
      weigh: (row) => both.lines.of(file, row) + (head && row === passage.head ? both.lines.of(file, row) + 3 : 0),
      taken: (row) =>
        quoted.has(file, row) ||
        skip.some(([from, to]) => row >= from && row <= to) ||
        this.quotes.some((quote) => quote.file === file && row >= quote.start && row <= quote.end),
      isComment: (row) => index.isComment(file, row),
      ...(around === undefined ? {} : { around, most: USE_LINES }),
    });
    if (!lines) return false;
    this.quotes.push({ ...lines, lane, passage, named: around !== undefined });
    return true;
  }
}

/** Returns where the code of a passage begins, below its comment. */
export function codeRow({ file, start, head }: Passage, index: WorkspaceIndex): number {
  let row = start;
  while (row < head && (index.isComment(file, row) || (file.lines[row] ?? '').trim() === '')) row++;
  return row;
}

/** Returns the innermost passage around the middle of some lines. */
function passageAround({ start, end }: Lines, near: Passage, index: WorkspaceIndex): Passage {
  const row = Math.floor((start + end) / 2);
  if (holds(near, start)) return near;
  let found: Passage | undefined;
  let id = near.id;
  while (index.passages[id - 1]?.file === near.file) id--;
  for (; index.passages[id]?.file === near.file; id++) {
    const one = index.passages[id];
    if (one && holds(one, row)) found = one;
  }
  return found ?? near;
}

/** Lines of brackets alone tell a reader nothing, and cannot be looked for. */
function saysSomething({ file, start, end }: Lines): boolean {
  return file.lines.slice(start, end + 1).some((line) => SAYS.test(line) && !ENDS.test(line));
}

/** Tells whether another function begins or ends above a row: a stretch of quoted lines is in one, or between them. */
function beginnings(file: SourceFile, index: WorkspaceIndex): (row: number) => boolean {
  const within = new Int32Array(file.lines.length).fill(-1);
  let end = -1;
  for (const passage of index.passages) {
    if (passage.file !== file || passage.end <= end) continue;
    if (passage.kind === 'class') within.fill(passage.id, passage.start, passage.end + 1);
    if (passage.kind !== 'function' && passage.kind !== 'member') continue;
    within.fill(passage.id, passage.start, passage.end + 1);
    end = passage.end;
  }
  return (row) => within[row] !== within[row - 1];
}

function holds({ start, end }: Pick<Lines, 'start' | 'end'>, row: number): boolean {
  return row >= start && row <= end;
}

function usesOfAll(symbols: readonly Passage[], index: WorkspaceIndex): Use[] {
  const seen = new Set<number>();
  return symbols
    .flatMap((symbol) => index.names.usesOf(symbol))
    .filter(({ passage }) => {
      const first = !seen.has(passage.id);
      seen.add(passage.id);
      return first;
    });
}

function byPlace(one: Quote, other: Quote): number {
  return one.file === other.file ? one.start - other.start : 0;
}

/** Returns the most relevant first, those that are as relevant in the order of the index. */
export function byRelevance(passages: readonly Passage[], research: Research): Passage[] {
  return passages.toSorted((a, b) => research.relevance(b) - research.relevance(a) || a.id - b.id);
}

const MAX_FILES = 3;
const BEST_HITS = 20;

/** Returns the two or three files that matter most for the subject and the question, and why. */
function planReading({ subject, question, both }: PlanInput, quotes: readonly Quote[]): FirstRead[] {
  const files = new Map<string, { worth: number; passages: Passage[]; quoted: Set<Passage> }>();
  const note = (passage: Passage, worth: number, quoted: boolean): void => {
    const file = files.get(passage.file.path) ?? { worth: 0, passages: [], quoted: new Set<Passage>() };
    file.worth += worth;
    if (!file.passages.includes(passage)) file.passages.push(passage);
    if (quoted) file.quoted.add(passage);
    files.set(passage.file.path, file);
  };
  for (const passage of subject.passages) note(passage, 3, true);
  for (const { passage, lane } of quotes) note(passage, lane === 'tested' ? 0.2 : 0.5, true);
  both.found.hits.forEach(({ passage }, place) => {
    // The best hits may all be in one file: later ones only contribute other files.
    const wanted = place < BEST_HITS || (files.size < MAX_FILES && !files.has(passage.file.path));
    if (wanted && passage.kind !== 'rest') note(passage, both.relevance(passage) * roleWorth(passage), false);
  });
  const ranked = [...files].sort(([a, x], [b, y]) => y.worth - x.worth || (a < b ? -1 : 1));
  return ranked.slice(0, MAX_FILES).map(([path, { passages, quoted }]) => {
    const order = passages.toSorted(
      (a, b) =>
        Number(quoted.has(b)) - Number(quoted.has(a)) || question.relevance(b) - question.relevance(a) || a.id - b.id,
    );
    const named = order.filter(({ kind }) => kind !== 'rest').slice(0, 3);
    return { path, row: order[0]?.head ?? 0, why: named.map(labelOf).join(', ') };
  });
}

function roleWorth({ file }: Passage): number {
  return file.role === 'source' ? 0.5 : 0.2;
}

/** Which section of a document a quotation belongs to. */
export type Lane = 'defined' | 'docs' | 'used' | 'tested';

/** A quotation, and the passage that contains its lines. */
export interface Quote extends Lines {
  readonly lane: Lane;
  readonly passage: Passage;
  /** True if it is included because it names the subject, rather than for its words. */
  readonly named: boolean;
}

/** A place worth knowing that is not quoted. From 0. */
interface Mention {
  readonly passage: Passage;
  readonly row: number;
}

/** An important file, the line to begin at (from 0), and why. */
interface FirstRead {
  readonly path: string;
  readonly row: number;
  readonly why: string;
}

/** The content of a document, in order. */
export interface DocumentPlan {
  readonly subject: Subject;
  readonly quotes: readonly Quote[];
  /** Uses that are not quoted. */
  readonly moreUses: readonly Mention[];
  readonly readFirst: readonly FirstRead[];
  /** Words of the question, and of a person's own title, that occur in no file. */
  readonly missing: readonly string[];
}
