import type { CheckedCitation } from '../../core/citations/citation.ts';
import { citationLink, escapeLabel } from '../../core/citations/citation-link.ts';
import { type CitationRecord, withMarks, withoutFields } from '../../core/citations/citation-marks.ts';
import { type Citation, withLinks } from '../../core/citations/citations-in.ts';
import type { WorkspaceText } from '../../core/ports/workspace-text.ts';
import { type ParsedDocument, parseDocument, writeDocument } from '../../core/text/document.ts';
import { checkCitations } from './check-citations.ts';

/** A document with its citations checked: marks in the front matter, links that lead to the lines. */
export interface MarkedDocument {
  readonly text: string;
  readonly citations: readonly CheckedCitation[];
}

/** Longer documents get no links, which would make them longer still. */
const LONGEST_LINKED = 500_000;
/** How far above a link its paragraph is examined, in characters. */
const FAR = 10_000;
const EMPTY_LINE = /(?:\r\n|\n|\r)[ \t>]*(?=[\r\n])/;

/**
 * Checks the citations of a document and records the results in it. Marks written by a model are removed, whether or not
 * there is a workspace to check against.
 * @param folder of the document, relative to the workspace folder
 * @param document the text, or the text and its parts
 * @param records the results of our earlier check; never taken from a model's answer
 * @throws ThoughtTreeError `bad-answer` if the document's front matter is unreadable
 */
export async function markDocument(
  workspace: WorkspaceText | undefined,
  folder: string,
  document: string | (ParsedDocument & { readonly text: string }),
  records: readonly CitationRecord[] = [],
): Promise<MarkedDocument> {
  const { text, data, body } = typeof document === 'string' ? { text: document, ...parseDocument(document) } : document;
  const citations = workspace ? await checkCitations(workspace, body, records) : [];
  const own = withoutFields(data);
  if (citations.length === 0) {
    const isForged = Object.keys(own).length < Object.keys(data).length;
    return { text: isForged ? writeDocument(own, body) : text, citations };
  }
  const linkAt = (one: Citation, at: number): string => linkOf(one, citations[at], folder) ?? unlinked(body, one);
  const linked = body.length > LONGEST_LINKED ? body : withLinks(body, linkAt);
  return { text: withMarks({ data: own, body: linked }, citations), citations };
}

/** A link to the quotation, whatever address the model gave; undefined if there is nothing to open. */
function linkOf({ link }: Citation, checked: CheckedCitation | undefined, folder: string): string | undefined {
  if (!checked?.opens) return undefined;
  const address = citationLink(folder, { ...checked, ...checked.now });
  return address === undefined ? undefined : `[${escapeLabel(link.label)}](${address})`;
}

/**
 * A place that cannot be opened, as code: brackets would be a link if the document gives them an address elsewhere. If
 * marks above might change the meaning of the code, a link that leads nowhere.
 */
function unlinked(body: string, { link: { start, end, label } }: Citation): string {
  const above =
    body
      .slice(Math.max(0, start - FAR), start)
      .split(EMPTY_LINE)
      .at(-1) ?? '';
  const isCode = !/[`[\\]/.test(above) && !label.includes('`') && body[end] !== '`';
  return isCode ? `\`${label}\`` : `[${escapeLabel(label)}]()`;
}

/**
 * A document as it was before its citations were marked, as far as possible: two texts that differ only in marks and
 * links give the same result.
 */
export function withoutCitationMarks(document: string): string {
  const { data, body } = parseDocument(document);
  const plain = withLinks(body, ({ link }) => `[${escapeLabel(link.label)}]`);
  return writeDocument(withoutFields(data), plain);
}
