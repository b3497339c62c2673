import { type CheckedCitation, type CitationMark, type FileLines, placeText } from '../../core/citations/citation.ts';
import { type CitationRecord, wasSeen } from '../../core/citations/citation-marks.ts';
import type { LineReference } from '../../core/citations/line-references.ts';
import { fingerprintOf, type Span } from '../../core/citations/quotation.ts';
import type { CitedFile, CitedSources } from './cited-sources.ts';

/** The distance from its place at which a symbol is still looked for, in lines. */
const FEW = 5;
const LONGEST_LINE = 2000;

/**
 * Checks a place that a sentence names: the file and its lines are there, and what the sentence names beside it stands there,
 * or nowhere near. Undefined if it may be no place of a file at all.
 */
export async function judgeReference(
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

/** The place, moved or widened to the only line beside it that has what the sentence names, where the place itself has not. */
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
