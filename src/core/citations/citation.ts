import * as z from 'zod';

/**
 * The result of checking a citation: the quotation is at its lines; elsewhere in the file; was in the file but no longer
 * is; or was never seen there.
 */
export const CitationMark = z.enum(['verified', 'moved', 'stale', 'not_found']);
export type CitationMark = z.infer<typeof CitationMark>;

const count = z.number().int().nonnegative();

/** The number of a document's citations that have each mark. */
export const CitationCounts = z.object({ verified: count, moved: count, stale: count, not_found: count });
export type CitationCounts = z.infer<typeof CitationCounts>;

/** Lines of a file of the workspace, from 1, inclusive. */
export interface FileLines {
  /** Relative to the workspace folder, with `/`. As a document gives it: hostile. */
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** A citation with the result of its check. */
export interface CheckedCitation extends FileLines {
  readonly mark: CitationMark;
  /** Where the quotation is, for one that moved. */
  readonly now?: Pick<FileLines, 'from' | 'to'>;
  /** Where it belongs, if the files decide that, but not as it is written: what is quoted there may leave lines out. */
  readonly mend?: Mend;
  /** It quotes nothing that could be looked for, such as a bracket. */
  readonly saysNothing?: true;
  /** A hash of the quotation's words: tells whether a later check is about the same ones. */
  readonly fingerprint: string;
  /** The file can be opened: it is there, inside the workspace, and not left out of searches. */
  readonly opens: boolean;
  /** The number of secrets that were left out of the file; undefined if that is unknown. */
  readonly secrets?: number;
}

/** The correction of a citation. */
export interface Mend extends FileLines {
  /** The lines of the quotation, from 0, above which others of the file are left out without a word. */
  readonly gaps: readonly number[];
}

export function countMarks(citations: readonly { readonly mark: CitationMark }[]): CitationCounts {
  const counts = { verified: 0, moved: 0, stale: 0, not_found: 0 };
  for (const { mark } of citations) counts[mark]++;
  return counts;
}

/** Lines as people write them, as in `src/queue.ts:12-15`. */
export function placeText({ path, from, to }: FileLines): string {
  return `${path}:${linesText({ from, to })}`;
}

export function linesText({ from, to }: Pick<FileLines, 'from' | 'to'>): string {
  return to > from ? `${from}-${to}` : String(from);
}
