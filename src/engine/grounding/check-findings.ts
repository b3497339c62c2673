import { type CheckedCitation, placeText } from '../../core/citations/citation.ts';
import type { CitationRecord } from '../../core/citations/citation-marks.ts';
import type { WorkspaceText } from '../../core/ports/workspace-text.ts';
import { checkedIn } from './check-citations.ts';
import { asMended, mendedSentences } from './mended-text.ts';

const LONGEST = 1000;
const MOST = 100;

type Data = Record<string, unknown>;

/** The findings in front matter, checked. */
export interface CheckedFindings {
  /** The places that they name and the text does not. */
  readonly checked: readonly CheckedCitation[];
  /** Front matter with them put right. */
  readonly mended: (data: Data) => Data;
}

/** Checks the places that the findings of a document's front matter name. */
export async function checkFindings(
  workspace: WorkspaceText,
  { findings }: Data,
  records: readonly CitationRecord[],
  inBody: readonly CheckedCitation[],
): Promise<CheckedFindings> {
  if (!Array.isArray(findings)) return { checked: [], mended: (data) => data };
  const known = new Set(inBody.map((one) => placeText(asMended(one))));
  const checked: CheckedCitation[] = [];
  /** @param before what is said before it, for the check only */
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

function isRecord(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
