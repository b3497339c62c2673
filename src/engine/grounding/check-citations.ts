import type { CheckedCitation, CitationMark, FileLines } from '../../core/citations/citation.ts';
import type { CitationRecord } from '../../core/citations/citation-marks.ts';
import { type Citation, citationsIn } from '../../core/citations/citations-in.ts';
import { findQuotation, fingerprintOf, saysSomething, type Words, wordsOf } from '../../core/citations/quotation.ts';
import { Breather } from '../../core/concurrency/breather.ts';
import type { WorkspaceText } from '../../core/ports/workspace-text.ts';

/** A file's current text, and a function that returns its earlier one. */
interface CitedFile {
  /** Undefined if it cannot be read as a source. */
  readonly now: Words | undefined;
  readonly secrets: number;
  readonly before: () => Promise<Words | undefined>;
}

/**
 * Checks every citation of a document, word for word, against the current files.
 * @param records the results of earlier checks of the same document: distinguish *stale* from *not found*, never
 *   confirm *verified*
 */
export async function checkCitations(
  text: WorkspaceText,
  body: string,
  records: readonly CitationRecord[],
): Promise<CheckedCitation[]> {
  const citations = citationsIn(body);
  const checked: CheckedCitation[] = Array.from(citations, () => NEVER);
  const rest = new Breather();
  // File by file, so that only one is held at a time.
  for (const [path, places] of placesByPath(citations)) {
    const file = await openFile(text, path);
    for (const place of places) {
      checked[place] = await judge(citations[place] as Citation, file, records);
      await rest.breathe();
    }
  }
  return checked;
}

const NEVER: CheckedCitation = { path: '', from: 0, to: 0, mark: 'not_found', fingerprint: '', opens: false };

function placesByPath(citations: readonly Citation[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, { path }] of citations.entries()) {
    const same = places.get(path);
    if (same) same.push(place);
    else places.set(path, [place]);
  }
  return places;
}

async function openFile(text: WorkspaceText, path: string): Promise<CitedFile> {
  const found = await text.read(path);
  let before: Promise<Words | undefined> | undefined;
  return {
    now: 'text' in found ? wordsOf(found.text) : undefined,
    secrets: 'text' in found ? (found.secrets ?? 0) : 0,
    before: () => {
      before ??= text.asSearched(path).then((old) => (old === undefined ? undefined : wordsOf(old)));
      return before;
    },
  };
}

async function judge(
  { path, from, to, quotation }: Citation,
  { now, before, secrets }: CitedFile,
  records: readonly CitationRecord[],
): Promise<CheckedCitation> {
  const fingerprint = fingerprintOf(quotation);
  const as = (mark: CitationMark, place?: Span): CheckedCitation => {
    const more = { ...(place && { now: place }), ...(secrets > 0 && { secrets }) };
    return { path, from, to, mark, fingerprint, opens: now !== undefined, ...more };
  };
  if (!saysSomething(quotation)) return as('not_found');
  const place = now && findQuotation(now, quotation, { from, to });
  if (now && place)
    return place.from >= from && place.to <= to && to <= now.lines.length ? as('verified') : as('moved', place);
  const was = records.some((record) => record.path === path && record.fingerprint === fingerprint && SEEN[record.mark]);
  if (was) return as('stale');
  const old = await before();
  return as(old && findQuotation(old, quotation, { from, to }) ? 'stale' : 'not_found');
}

type Span = Pick<FileLines, 'from' | 'to'>;

/** Whether a mark says that the quotation was in the file once. */
const SEEN: Record<CitationMark, boolean> = { verified: true, moved: true, stale: true, not_found: false };
