import {
  type CheckedCitation,
  type CitationMark,
  type FileLines,
  type Mend,
  placeText,
} from '../../core/citations/citation.ts';
import { type CitationRecord, wasSeen } from '../../core/citations/citation-marks.ts';
import { type Citation, citationsIn } from '../../core/citations/citations-in.ts';
import { type LineReference, referencesIn } from '../../core/citations/line-references.ts';
import {
  findPieces,
  findQuotation,
  fingerprintOf,
  type Quotation,
  type Span,
  saysSomething,
  type Words,
  withoutOmissions,
  wordsOf,
} from '../../core/citations/quotation.ts';
import { Breather } from '../../core/concurrency.ts';
import type { WorkspaceText } from '../../core/ports/workspace-text.ts';
import { parseLeniently } from '../../core/text/document.ts';

/** A quotation of a document, or a place that a sentence names, with the result of its check. */
export type Checked =
  | { readonly citation: Citation; readonly checked: CheckedCitation }
  | { readonly reference: LineReference; readonly checked: CheckedCitation };

/** A quotation that is looked for in other files than the named one needs so many letters and digits. */
const LEAST_ELSEWHERE = 12;

/**
 * Checks every citation of a document against the current files: quotations word for word, then the places that its sentences
 * name.
 * @param records the results of earlier checks of the same document: distinguish *stale* from *not found*, never
 *   confirm *verified*
 */
export async function checkCitations(
  text: WorkspaceText,
  body: string,
  records: readonly CitationRecord[],
): Promise<CheckedCitation[]> {
  return (await checkedIn(text, body, records)).map(({ checked }) => checked);
}

/** Checks citations, and returns what was checked, too; leaves out a host with its port, unless it is a file. */
export async function checkedIn(
  text: WorkspaceText,
  body: string,
  records: readonly CitationRecord[],
): Promise<Checked[]> {
  const citations = citationsIn(body);
  const references = referencesBeside(citations, referencesIn(body));
  const rest = new Breather();
  const sources = new CitedSources(text, [...citations, ...references]);
  const judgements = new Map<Citation | LineReference, CheckedCitation>();
  // File by file, so that only one is held at a time.
  for (const [path, cited] of byPath([...citations, ...references])) {
    const file = await sources.open(path);
    for (const one of cited) {
      const checked =
        'quotation' in one
          ? await judgeQuotation(one, file, sources, records)
          : await judgeReference(one, file, sources, records);
      if (checked) judgements.set(one, checked);
      await rest.breathe();
    }
  }
  const of = (one: Citation | LineReference): CheckedCitation[] =>
    [judgements.get(one)].filter((each) => each !== undefined);
  return [
    ...citations.flatMap((citation) => of(citation).map((checked) => ({ citation, checked }))),
    ...references.flatMap((reference) => of(reference).map((checked) => ({ reference, checked }))),
  ];
}

/** Returns the places that sentences name, without those that a quotation stands below. */
export function referencesBeside(
  citations: readonly Citation[],
  references: readonly LineReference[],
): LineReference[] {
  const links = citations.map(({ link }) => link);
  return references.filter(({ start, end }) => !links.some((link) => start < link.end && end > link.start));
}

function byPath<T extends FileLines>(cited: readonly T[]): Map<string, T[]> {
  const places = new Map<string, T[]>();
  for (const one of cited) {
    const same = places.get(one.path);
    if (same) same.push(one);
    else places.set(one.path, [one]);
  }
  return places;
}

async function judgeQuotation(
  { path, from, to, quotation }: Citation,
  file: CitedFile,
  sources: CitedSources,
  records: readonly CitationRecord[],
): Promise<CheckedCitation> {
  const { now, secrets } = file;
  const fingerprint = fingerprintOf({ ...quotation, text: withoutOmissions(quotation.text) });
  const as = (mark: CitationMark, more: Partial<CheckedCitation> = {}): CheckedCitation => {
    const told = { ...more, ...(secrets > 0 && { secrets }) };
    return { path, from, to, mark, fingerprint, opens: now !== undefined, ...told };
  };
  if (!saysSomething(quotation)) return as('not_found', { saysNothing: true });
  const place = now && findQuotation(now, quotation, { from, to });
  if (now && place) {
    if (place.from >= from && place.to <= to && to <= now.lines.length) return as('verified');
    return as('moved', { now: place, mend: { path, ...place, gaps: [] } });
  }
  const pieced = now && findPieces(now, quotation, { from, to });
  if (now && pieced) {
    const isThere = pieced.from >= from && pieced.to <= to && to <= now.lines.length;
    const { gaps, ...lines } = isThere ? { ...pieced, from, to } : pieced;
    if (gaps.length === 0 && isThere) return as('verified');
    const mend = { path, ...lines, gaps };
    return gaps.length === 0 ? as('moved', { now: lines, mend }) : as('not_found', { mend });
  }
  if (wasSeen(records, path, fingerprint)) return as('stale');
  const old = await file.before();
  if (old && findQuotation(old, quotation, { from, to })) return as('stale');
  const mend = await elsewhere(path, quotation, sources);
  return as('not_found', mend && { mend });
}

/** Returns the one other file that has the words: of those that the document names, and those with the same name. */
async function elsewhere(path: string, quotation: Quotation, sources: CitedSources): Promise<Mend | undefined> {
  if ((quotation.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < LEAST_ELSEWHERE) return undefined;
  const found: Mend[] = [];
  for (const other of await sources.others(path)) {
    const { now } = await sources.open(other);
    if (!now) continue;
    // No line is named in it: it has to have the words once.
    const place: (Span & Partial<Pick<Mend, 'gaps'>>) | undefined =
      findQuotation(now, quotation, NOWHERE) ?? findPieces(now, quotation, NOWHERE);
    if (place) found.push({ gaps: [], ...place, path: other });
    if (found.length > 1) return undefined;
  }
  return found[0];
}

const NOWHERE: Span = { from: Number.MAX_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

/** The counts of citations in documents by result: `written` is the sum of the others. */
export interface CitationFigures {
  readonly written: number;
  /** Those that held as they were written. */
  readonly held: number;
  /** Those that the files put right. */
  readonly mended: number;
  /** Those that are marked as not found. */
  readonly marked: number;
}

/**
 * Counts the citations of documents as models wrote them, and what the program makes of each: quotations, and places that
 * sentences name.
 */
export async function countCitations(workspace: WorkspaceText, documents: Iterable<string>): Promise<CitationFigures> {
  const counts = { written: 0, held: 0, mended: 0, marked: 0 };
  for (const document of documents)
    for (const { checked } of await checkedIn(workspace, parseLeniently(document).body, [])) {
      counts.written++;
      if (checked.mark === 'verified') counts.held++;
      else if (checked.mend) counts.mended++;
      else counts.marked++;
    }
  return counts;
}

/** The distance from its place at which a symbol is still looked for, in lines. */
const FEW = 5;
const LONGEST_LINE = 2000;

/**
 * Checks a place that a sentence names: the file and its lines are there, and what the sentence names beside it stands there,
 * or nowhere near. Undefined if it may be no place of a file at all.
 */
async function judgeReference(
  reference: LineReference,
  named: CitedFile,
  sources: CitedSources,
  records: readonly CitationRecord[],
): Promise<CheckedCitation | undefined> {
  const { path, from, to, isSure, symbols } = reference;
  const other = named.now ? undefined : await sources.meant(path);
  const file = other === undefined ? named : await sources.open(other);
  const { lines } = file;
  // The place where it is in the end, so that later checks know it.
  const judged = (mark: CitationMark, place: FileLines, more: Partial<CheckedCitation> = {}): CheckedCitation => {
    const fingerprint = fingerprintOf({ kind: 'code', text: placeText(place) });
    return { path, from, to, mark, fingerprint, opens: file.now !== undefined, ...more };
  };
  if (!file.now && !isSure) return undefined;
  // Some count the empty line behind the last one.
  const last = to === lines.length + 1 && from < to ? lines.length : to;
  if (!file.now || last > lines.length) {
    const gone = judged('not_found', reference);
    return wasSeen(records, path, gone.fingerprint) ? { ...gone, mark: 'stale' } : gone;
  }
  const now = besideSymbol(lines, { from, to: last }, symbols);
  const mend = { path: other ?? path, ...now, gaps: [] };
  if (other !== undefined) return judged('not_found', mend, { mend });
  return now.from === from && now.to === to ? judged('verified', mend) : judged('moved', mend, { now, mend });
}

/**
 * Returns the place, moved or widened to the only line beside it that has what the sentence names, where the place
 * itself has not.
 */
function besideSymbol(lines: readonly string[], { from, to }: Span, symbols: readonly string[]): Span {
  if (symbols.length === 0) return { from, to };
  const near: number[] = [];
  for (let line = Math.max(1, from - FEW); line <= Math.min(lines.length, to + FEW); line++) {
    const words = new Set((lines[line - 1] ?? '').slice(0, LONGEST_LINE).match(/[\w$]+/g));
    if (!symbols.some((symbol) => words.has(symbol))) continue;
    if (line >= from && line <= to) return { from, to };
    near.push(line);
  }
  const [only, ...more] = near;
  if (only === undefined || more.length > 0) return { from, to };
  return from === to ? { from: only, to: only } : { from: Math.min(from, only), to: Math.max(to, only) };
}

/** A file's current text, and a function that returns its earlier one. */
interface CitedFile {
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
class CitedSources {
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

  /** Returns the one file that is meant by a path of which steps are missing, or too many. */
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
