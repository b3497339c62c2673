import { type CheckedCitation, placeText } from '../../core/citations/citation.ts';
import {
  type CitationRecord,
  citationLink,
  visibleMark,
  withMarks,
  withoutFields,
} from '../../core/citations/citation-marks.ts';
import { type Citation, citationsIn } from '../../core/citations/citations-in.ts';
import { type LineReference, referencesIn, referenceText } from '../../core/citations/line-references.ts';
import { OMISSION } from '../../core/citations/quotation.ts';
import type { WorkspaceText } from '../../core/ports/workspace-text.ts';
import { LONGEST_FRONT_MATTER, type ParsedDocument, parseDocument, writeDocument } from '../../core/text/document.ts';
import { isRecord } from '../../core/text/loose-json.ts';
import { escapeMarkdown } from '../../core/text/text.ts';
import { type Checked, checkedIn, referencesBeside } from './check-citations.ts';

/** A document whose citations were put right where the files decide. Each has a link, or a note behind it that says what is wrong. */
export interface MarkedDocument {
  readonly text: string;
  readonly citations: readonly CheckedCitation[];
  /** The citations as they were before they were put right. */
  readonly asFound: readonly CheckedCitation[];
}

interface Known {
  /** The results of our earlier check; never taken from a model's answer. */
  readonly records?: readonly CitationRecord[];
  /** Tells whether anything is put right, given what is found; by default it is. */
  readonly mends?: (asFound: readonly CheckedCitation[]) => boolean;
}

/** Longer documents get no links, which would make them longer still, and nothing in them is put right. */
const LONGEST_LINKED = 500_000;
const MOST_PASSES = 4;

/**
 * Checks the citations of a document, puts them right where the files decide, and records the results in it. Marks written by
 * a model are removed, whether or not there is a workspace to check against. Doing it again changes nothing.
 * @param folder of the document, relative to the workspace folder
 * @param document the text, or the text and its parts
 * @throws ThoughtTreeError `bad-answer` if the document's front matter is unreadable
 */
export async function markDocument(
  workspace: WorkspaceText | undefined,
  folder: string,
  document: string | (ParsedDocument & { readonly text: string }),
  { records = [], mends = () => true }: Known = {},
): Promise<MarkedDocument> {
  const { text, data, body } = typeof document === 'string' ? { text: document, ...parseDocument(document) } : document;
  const own = withoutFields(data);
  const checked = workspace ? await checkedIn(workspace, body, records) : [];
  const inBody = checked.map((one) => one.checked);
  const findings = workspace ? await checkFindings(workspace, own, records, inBody) : NO_FINDINGS;
  const asFound = [...inBody, ...findings.checked];
  if (!workspace || asFound.length === 0) {
    const isForged = Object.keys(own).length < Object.keys(data).length;
    return { text: isForged ? writeDocument(own, body) : text, citations: [], asFound };
  }
  const isMended = body.length <= LONGEST_LINKED && mends(asFound);
  const linked = isMended
    ? await mendedBody(workspace, folder, body, checked, records)
    : linkedText(body, checked, folder);
  const citations = isMended ? [...linked.citations, ...findings.checked.map(asMended)] : asFound;
  const mended = isMended ? findings.mended(own) : own;
  const isShort = writeDocument(mended, '').length < LONGEST_FRONT_MATTER;
  return { text: withMarks({ data: isShort ? mended : own, body: linked.text }, citations), citations, asFound };
}

const NO_FINDINGS: CheckedFindings = { checked: [], mended: (data) => data };

interface Linked {
  readonly text: string;
  readonly citations: readonly CheckedCitation[];
}

/** Returns the text with links to where citations are, and nothing put right; a long one as it is. */
function linkedText(body: string, checked: readonly Checked[], folder: string): Linked {
  const asTheyAre = checked.map((one) => ({ ...one, checked: withoutMend(one.checked) }));
  const text = body.length <= LONGEST_LINKED ? mendedText(body, asTheyAre, folder).text : body;
  return { text, citations: asTheyAre.map((one) => one.checked) };
}

function withoutMend({ mend: _, ...checked }: CheckedCitation): CheckedCitation {
  return checked;
}

async function mendedBody(
  workspace: WorkspaceText,
  folder: string,
  body: string,
  checked: readonly Checked[],
  records: readonly CitationRecord[],
): Promise<Linked> {
  let found = checked;
  let mended = mendedText(body, checked, folder);
  // Odd marks around them may change what is read.
  for (let pass = 1; !mended.isReadBack && pass < MOST_PASSES; pass++) {
    found = await checkedIn(workspace, mended.text, records);
    mended = mendedText(mended.text, found, folder);
  }
  return { text: mended.text, citations: found.map((one) => asMended(one.checked)) };
}

/**
 * A document as it was before its citations were marked, as far as possible: two texts that differ only in marks and
 * links give the same result.
 */
export function withoutCitationMarks(document: string): string {
  const { data, body } = parseDocument(document);
  const citations = citationsIn(body);
  const plain = withEdits(body, [
    ...citations.map(({ link }) => ({ start: link.start, end: link.end, text: link.label })),
    ...referencesBeside(citations, referencesIn(body)).map((one) => ({ ...one, text: plainReference(one) })),
  ]);
  return writeDocument(withoutFields(data), plain);
}

function plainReference(reference: LineReference): string {
  const { form, label, said } = reference;
  const place = placeText(reference);
  if (form === 'address') return `${label} ${place}`;
  return form === 'within' ? label.replace(said, () => place) : place;
}

const LONGEST = 1000;
const MOST = 100;

type Data = Record<string, unknown>;

/** The findings in front matter, checked. */
interface CheckedFindings {
  /** The places that they name and the text does not. */
  readonly checked: readonly CheckedCitation[];
  /** Front matter with them put right. */
  readonly mended: (data: Data) => Data;
}

/** Checks the places that the findings of a document's front matter name. */
async function checkFindings(
  workspace: WorkspaceText,
  { findings }: Data,
  records: readonly CitationRecord[],
  inBody: readonly CheckedCitation[],
): Promise<CheckedFindings> {
  if (!Array.isArray(findings)) return { checked: [], mended: (data) => data };
  const known = new Set(inBody.map((one) => placeText(asMended(one))));
  const checked: CheckedCitation[] = [];
  /** @param before the text before it, which only the check needs */
  const mend = async (text: unknown, before = ''): Promise<unknown> => {
    if (typeof text !== 'string' || text.length > LONGEST || /[\r\n]/.test(text)) return text;
    const found = await checkedIn(workspace, before + text, records);
    for (const one of found) {
      const place = placeText(asMended(one.checked));
      if (!known.has(place)) checked.push(one.checked);
      known.add(place);
    }
    return mendedSentences(before + text, found).slice(before.length);
  };
  const mended: unknown[] = [];
  for (const finding of findings.slice(0, MOST))
    mended.push(isRecord(finding) ? await mendedFinding(finding, mend) : await mend(finding));
  return { checked, mended: (data) => ({ ...data, findings: [...mended, ...findings.slice(MOST)] }) };
}

async function mendedFinding(finding: Data, mend: (text: unknown, before?: string) => Promise<unknown>): Promise<Data> {
  const { text, cites } = finding;
  const changed: Data = { ...finding };
  if (text !== undefined) changed['text'] = await mend(text);
  if (!Array.isArray(cites)) return changed;
  // The symbols that it names are expected at the place that it cites, if that is one only.
  const symbols = cites.length === 1 && typeof text === 'string' ? (text.match(/`[^`\s]{1,100}`/g) ?? []) : [];
  const before = symbols.map((symbol) => `${symbol} `).join('');
  const places: unknown[] = [];
  for (const cite of cites.slice(0, MOST)) places.push(await mend(cite, before));
  return { ...changed, cites: [...places, ...cites.slice(MOST)] };
}

/** The distance above a link up to which its paragraph is examined, in characters. */
const FAR = 10_000;
const EMPTY_LINE = /(?:\r\n|\n|\r)[ \t>]*(?=[\r\n])/;

/** Returns a citation as it is once its document says where it is. */
function asMended(checked: CheckedCitation): CheckedCitation {
  if (!checked.mend) return checked;
  const { mend, now: _, ...rest } = checked;
  return { ...rest, path: mend.path, from: mend.from, to: mend.to, mark: 'verified', opens: true };
}

/** A part of a text and what stands in its place. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Puts the citations of a text right where the files decide, and links them; a note behind each other one says what is wrong. */
function mendedText(
  body: string,
  checked: readonly Checked[],
  folder: string,
): { readonly text: string; readonly isReadBack: boolean } {
  const text = withEdits(
    body,
    checked.flatMap((one) => mendsOf(body, one, folder)),
  );
  return { text, isReadBack: isReadBack(body, text, checked) };
}

/** Returns the edits that put one citation right, label and link alike, or note behind it what is wrong. */
export function mendsOf(body: string, one: Checked, folder: string): Edit[] {
  return 'citation' in one ? quotationEdits(body, one.citation, one.checked, folder) : [referenceEdit(one, folder)];
}

/** Puts the citations of sentences right, without links; a note behind each other one says what is wrong. */
function mendedSentences(body: string, checked: readonly Checked[]): string {
  return withEdits(
    body,
    checked.flatMap((one) => ('reference' in one ? [referenceEdit(one)] : [])),
  );
}

/** A text of a report with the places in its sentences put right, and a mark behind those that are not there. */
export async function mendedReport(workspace: WorkspaceText | undefined, text: string): Promise<string> {
  const checked = workspace ? await checkedIn(workspace, text, []).catch(() => []) : [];
  return mendedSentences(text, checked);
}

/** @param folder where links lead from; undefined: there are none */
function referenceEdit({ reference, checked }: Extract<Checked, { reference: LineReference }>, folder?: string): Edit {
  const { mark, path, from, to, now } = asMended(checked);
  const place = checked.mend ? placeText({ path, from, to }) : reference.said;
  const isThere = mark === 'verified' || mark === 'moved';
  const address = isThere && folder !== undefined ? citationLink(folder, { path, from, to, ...now }) : undefined;
  return { ...reference, text: referenceText(reference, place, address, visibleMark(mark)) };
}

function quotationEdits(body: string, citation: Citation, checked: CheckedCitation, folder: string): Edit[] {
  const { link, lines } = citation;
  const { mend } = checked;
  const { mark, path, from, to, now } = asMended(checked);
  const label = mend ? placeText({ path, from, to }) : link.label;
  const isThere = mark === 'verified' || mark === 'moved';
  const address = isThere ? citationLink(folder, { path, from, to, ...now }) : undefined;
  const text =
    address === undefined
      ? `${unlinked(body, { ...link, label })}${visibleMark(mark)}`
      : `[${escapeMarkdown(label)}](${address})`;
  const gaps = (mend?.gaps ?? []).flatMap((gap): Edit[] => {
    const [start, indent] = lines(gap);
    return [{ start, end: start, text: `${indent}${OMISSION}\n` }];
  });
  return [{ start: link.start, end: link.end, text }, ...gaps];
}

/** Returns the text with its parts replaced; of two that overlap, the first. */
function withEdits(text: string, edits: readonly Edit[]): string {
  let out = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < at) continue;
    out += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return out + text.slice(at);
}

/** Tells whether the same citations are read in a text as before, each citation where it belongs. */
function isReadBack(before: string, after: string, checked: readonly Checked[]): boolean {
  const places = new Map(
    checked.flatMap((one) => ('reference' in one ? [[one.reference.start, asMended(one.checked)]] : [])),
  );
  const wanted = referencesBeside(citationsIn(before), referencesIn(before)).map((one) =>
    placeText(places.get(one.start) ?? one),
  );
  const found = citationsIn(after);
  const isSame = found.length === checked.filter((one) => 'citation' in one).length;
  return isSame && referencesBeside(found, referencesIn(after)).map(placeText).join('\n') === wanted.join('\n');
}

/**
 * A place that cannot be opened, as code: brackets would be a link if the document gives them an address elsewhere. If
 * marks above might change the meaning of the code, a link that leads nowhere.
 */
function unlinked(body: string, { start, end, label }: Citation['link']): string {
  const above =
    body
      .slice(Math.max(0, start - FAR), start)
      .split(EMPTY_LINE)
      .at(-1) ?? '';
  const isCode = !/[`[\\]/.test(above) && !label.includes('`') && body[end] !== '`';
  return isCode ? `\`${label}\`` : `[${escapeMarkdown(label)}]()`;
}
