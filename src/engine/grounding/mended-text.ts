import { type CheckedCitation, placeText } from '../../core/citations/citation.ts';
import { citationLink, escapeLabel } from '../../core/citations/citation-link.ts';
import { visibleMark } from '../../core/citations/citation-marks.ts';
import { type Citation, citationsIn } from '../../core/citations/citations-in.ts';
import { type LineReference, referencesIn, referenceText } from '../../core/citations/line-references.ts';
import { OMISSION } from '../../core/citations/omissions.ts';
import type { WorkspaceText } from '../../core/ports/workspace-text.ts';
import { type Checked, checkedIn, referencesBeside } from './check-citations.ts';

/** The distance above a link up to which its paragraph is examined, in characters. */
const FAR = 10_000;
const EMPTY_LINE = /(?:\r\n|\n|\r)[ \t>]*(?=[\r\n])/;

/** A citation as it is once its document says where it is. */
export function asMended(checked: CheckedCitation): CheckedCitation {
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

/** A text in which citations are put right where the files decide, with links to their lines; what is left is said behind each. */
export function mendedText(
  body: string,
  checked: readonly Checked[],
  folder: string,
): { readonly text: string; readonly isReadBack: boolean } {
  const edits = checked.flatMap((one) =>
    'citation' in one ? quotationEdits(body, one.citation, one.checked, folder) : [referenceEdit(one, folder)],
  );
  const text = withEdits(body, edits);
  return { text, isReadBack: isReadBack(body, text, checked) };
}

/** Sentences in which citations are put right, without links; what is left is said behind each. */
export function mendedSentences(body: string, checked: readonly Checked[]): string {
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
      : `[${escapeLabel(label)}](${address})`;
  const gaps = (mend?.gaps ?? []).flatMap((gap): Edit[] => {
    const [start, indent] = lines(gap);
    return [{ start, end: start, text: `${indent}${OMISSION}\n` }];
  });
  return [{ start: link.start, end: link.end, text }, ...gaps];
}

/** The text with its parts replaced; of two that overlap, the first. */
export function withEdits(text: string, edits: readonly Edit[]): string {
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
  return isCode ? `\`${label}\`` : `[${escapeLabel(label)}]()`;
}
