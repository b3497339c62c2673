import { LONGEST_FRONT_MATTER, type ParsedDocument, writeDocument } from '../text/document.ts';
import { encodeSegment, leftOut } from '../text/text.ts';
import {
  type CheckedCitation,
  type CitationCounts,
  type CitationMark,
  countMarks,
  type FileLines,
  linesText,
  placeText,
} from './citation.ts';

/**
 * The front-matter fields that tell the result of checking a document's citations; a model cannot write them, nor
 * `quotations`, which are in node.json.
 */
const FIELDS = ['citations', 'quotations', 'left_out'] as const;
/** The most room for the single results in node.json, in characters. */
const LONGEST_ENTRIES = 16_000;

const WORDS: Record<CitationMark, string> = {
  verified: 'verified',
  moved: 'moved to',
  stale: 'stale',
  not_found: 'not found',
};
const ENTRY =
  /^(.{1,300}):(\d{1,7})(?:-(\d{1,7}))? (verified|moved to (\d{1,7})(?:-(\d{1,7}))?|stale|not found) #([0-9a-f]{13})$/su;

/** A document's record of one of its citations. */
export interface CitationRecord extends FileLines {
  readonly mark: CitationMark;
  /** Where the quotation is, for one that moved. */
  readonly now?: Pick<FileLines, 'from' | 'to'>;
  readonly fingerprint: string;
}

/** The fields of node.json about the citations in its document: the number that have each mark, and a line for each. */
export interface NodeMarks {
  readonly citations: CitationCounts | undefined;
  /** `src/queue.ts:12-15 verified #…`. */
  readonly quotations: string[] | undefined;
}

/** Returns the results of a check as node.json keeps them; undefined if the document cites nothing. */
export function marksOf(citations: readonly CheckedCitation[]): NodeMarks {
  if (citations.length === 0) return { citations: undefined, quotations: undefined };
  const failed = citations.filter(({ mark }) => mark !== 'verified');
  // Where there is no room for all, first the verified ones go unnamed, then all of them.
  const entries = [citations, failed].map((named) => named.map(entryOf).filter((entry) => ENTRY.test(entry)));
  const fitting = entries.find((lines) => lines.join('').length <= LONGEST_ENTRIES) ?? [];
  return { citations: countMarks(citations), quotations: fitting.length > 0 ? fitting : undefined };
}

/**
 * Returns the document with a line that says how many citations have which mark, and what was left out of the files.
 */
export function withMarks({ data, body }: ParsedDocument, citations: readonly CheckedCitation[]): string {
  const own = withoutFields(data);
  if (citations.length === 0) return writeDocument(own, body);
  const left = new Map(citations.flatMap(({ path, secrets = 0 }) => (secrets > 0 ? [[path, secrets] as const] : [])));
  const kept =
    left.size === 0 ? own : { ...own, left_out: Array.from(left, ([path, secrets]) => leftOut(secrets, path)) };
  const text = writeDocument({ ...kept, citations: countsLine(countMarks(citations)) }, body);
  // A text that would be too long to read back must not be written.
  return text.length - body.length < LONGEST_FRONT_MATTER ? text : writeDocument(own, body);
}

const COUNTED: readonly (readonly [CitationMark, string])[] = [
  ['verified', 'verified'],
  ['moved', 'moved'],
  ['stale', 'stale'],
  ['not_found', 'not found'],
];

/** `7 verified, 1 stale`: like the rest of a document's fields, not in the reader's language. */
function countsLine(counts: CitationCounts): string {
  return COUNTED.flatMap(([mark, word]) => (counts[mark] > 0 ? [`${counts[mark]} ${word}`] : [])).join(', ');
}

/** Returns the counts in a document's front matter; undefined if there are none. */
export function countsIn({ citations }: ParsedDocument['data']): CitationCounts | undefined {
  if (typeof citations !== 'string') return undefined;
  const counts = { verified: 0, moved: 0, stale: 0, not_found: 0 };
  for (const part of citations.slice(0, 200).split(', ')) {
    const [, count, said] = /^(\d{1,7}) (verified|moved|stale|not found)$/.exec(part) ?? [];
    const mark = COUNTED.find(([, word]) => word === said)?.[0];
    if (mark === undefined) return undefined;
    counts[mark] = Number(count);
  }
  return counts;
}

export function withoutFields(data: ParsedDocument['data']): ParsedDocument['data'] {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !(FIELDS as readonly string[]).includes(name)));
}

/** Returns a result as a line. */
export function entryOf(citation: CitationRecord): string {
  const { mark, now, fingerprint } = citation;
  return `${placeText(citation)} ${WORDS[mark]}${mark === 'moved' && now ? ` ${linesText(now)}` : ''} #${fingerprint}`;
}

/**
 * Returns the results of the last check of a document's citations; entries that cannot be read are left out.
 * @param entries those of node.json
 */
export function recordsIn(entries: readonly string[] = []): CitationRecord[] {
  return entries.flatMap((entry) => {
    const [, path, from, to, said, first, last, fingerprint] = ENTRY.exec(entry) ?? [];
    if (path === undefined || said === undefined || fingerprint === undefined) return [];
    const mark = (Object.keys(WORDS) as CitationMark[]).find((one) => said.startsWith(WORDS[one])) as CitationMark;
    const now = first === undefined ? {} : { now: { from: Number(first), to: Number(last ?? first) } };
    return [{ path, from: Number(from), to: Number(to ?? from), mark, ...now, fingerprint }];
  });
}

/** Tells whether an earlier check found it. */
export function wasSeen(records: readonly CitationRecord[], path: string, fingerprint: string): boolean {
  return records.some((record) => record.path === path && record.fingerprint === fingerprint && SEEN[record.mark]);
}

/** True if a mark says that the quotation was in the file once. */
const SEEN: Record<CitationMark, boolean> = { verified: true, moved: true, stale: true, not_found: false };

/** The words behind a citation that does not hold, the same in every language as a document's other marks are. */
const VISIBLE_MARKS = { not_found: ' (not found there)', stale: ' (no longer there)' } as const;

/** Returns the words behind a citation with such a mark; empty for one that holds. */
export function visibleMark(mark: CitationMark): string {
  return mark === 'not_found' || mark === 'stale' ? VISIBLE_MARKS[mark] : '';
}

/** Returns the mark at an offset of a text; empty if there is none. */
export function markBehind(text: string, at: number): string {
  return Object.values(VISIBLE_MARKS).find((mark) => text.startsWith(mark, at)) ?? '';
}

/** Longer addresses are neither written nor recognized when read. */
export const LONGEST_ADDRESS = 3500;

/**
 * The address by which a document links to lines of a file, relative to its folder: `../../src/queue.ts#L12-L15`, which
 * editors open at those lines.
 * @param folder of the document, relative to the workspace folder, with `/`; may begin with `..`
 * @returns undefined if the path back down is unknown, as for a folder above the workspace, or the address is too long
 */
export function citationLink(folder: string, { path, from, to }: FileLines): string | undefined {
  const at = folder.split('/').filter((step) => step !== '' && step !== '.');
  if (at.includes('..')) return undefined;
  const steps = path.split('/');
  let shared = 0;
  while (shared < at.length && shared < steps.length - 1 && at[shared] === steps[shared]) shared++;
  const way = [...at.slice(shared).map(() => '..'), ...steps.slice(shared).map(encodeSegment)].join('/');
  const address = `${way}#L${from}${to > from ? `-L${to}` : ''}`;
  return address.length > LONGEST_ADDRESS ? undefined : address;
}
