import { LONGEST_FRONT_MATTER, type ParsedDocument, writeDocument } from '../text/document.ts';
import { leftOut } from '../text/left-out.ts';
import {
  type CheckedCitation,
  type CitationMark,
  countMarks,
  type FileLines,
  linesText,
  placeText,
} from './citation.ts';

/** The front-matter fields that hold the result of checking a document's citations; a model cannot write them. */
const FIELDS = ['citations', 'quotations', 'left_out'] as const;

const WORDS: Record<CitationMark, string> = {
  verified: 'verified',
  moved: 'moved to',
  stale: 'stale',
  not_found: 'not found',
};
const ENTRY =
  /^(.{1,300}):(\d{1,7})(?:-(\d{1,7}))? (verified|moved to (\d{1,7})(?:-(\d{1,7}))?|stale|not found) #([0-9a-f]{13})$/su;

/** What a document says of one of its citations. */
export interface CitationRecord extends FileLines {
  readonly mark: CitationMark;
  /** Where the quotation is, for one that moved. */
  readonly now?: Pick<FileLines, 'from' | 'to'>;
  readonly fingerprint: string;
}

/**
 * The document with its marks: the counts, a line for each citation, `src/queue.ts:12-15 verified #…`, and what was left out of
 * the files, `2 secrets left out of src/queue.ts`.
 */
export function withMarks({ data, body }: ParsedDocument, citations: readonly CheckedCitation[]): string {
  const own = withoutFields(data);
  if (citations.length === 0) return writeDocument(own, body);
  const left = new Map(citations.flatMap(({ path, secrets = 0 }) => (secrets > 0 ? [[path, secrets] as const] : [])));
  const kept =
    left.size === 0 ? own : { ...own, left_out: Array.from(left, ([path, secrets]) => leftOut(secrets, path)) };
  const counts = countMarks(citations);
  const failed = citations.filter(({ mark }) => mark !== 'verified');
  // What would be too long to read back must not be written: first the verified ones go unnamed, then all of them.
  for (const named of [citations, failed]) {
    const text = writeDocument({ ...kept, citations: counts, quotations: named.map(entryOf) }, body);
    if (text.length - body.length < LONGEST_FRONT_MATTER) return text;
  }
  const text = writeDocument({ ...kept, citations: counts }, body);
  return text.length - body.length < LONGEST_FRONT_MATTER ? text : writeDocument(own, body);
}

export function withoutFields(data: ParsedDocument['data']): ParsedDocument['data'] {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !(FIELDS as readonly string[]).includes(name)));
}

function entryOf(citation: CheckedCitation): string {
  const { mark, now, fingerprint } = citation;
  return `${placeText(citation)} ${WORDS[mark]}${mark === 'moved' && now ? ` ${linesText(now)}` : ''} #${fingerprint}`;
}

/** What the front matter says of the document's citations; entries that cannot be read are left out. */
export function recordsIn(data: ParsedDocument['data']): CitationRecord[] {
  const entries = data['quotations'];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown) => {
    const [, path, from, to, said, first, last, fingerprint] = (typeof entry === 'string' && ENTRY.exec(entry)) || [];
    if (path === undefined || said === undefined || fingerprint === undefined) return [];
    const mark = (Object.keys(WORDS) as CitationMark[]).find((one) => said.startsWith(WORDS[one])) as CitationMark;
    const now = first === undefined ? {} : { now: { from: Number(first), to: Number(last ?? first) } };
    return [{ path, from: Number(from), to: Number(to ?? from), mark, ...now, fingerprint }];
  });
}
