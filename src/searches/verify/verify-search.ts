import { type CheckedCitation, placeText } from '../../core/citations/citation.ts';
import { type CitationRecord, recordsIn } from '../../core/citations/citation-marks.ts';
import { parseDocument } from '../../core/text/document.ts';
import { pathOf, walk } from '../../core/tree/tree.ts';
import { checkCitations } from '../../engine/grounding/check-citations.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import { isOwnJournal } from '../../store/open-store.ts';
import { lazyWorkspaceText } from '../lazy-workspace-text.ts';
import * as say from '../messages.ts';
import type { Place } from '../place.ts';
import { overviewOf, type SearchOverview } from '../reader/search-overview.ts';
import { ownKey } from '../trust/own-key.ts';
import { ownUse } from '../trust/own-search.ts';
import { checkReceipts, type FindAgent } from './check-receipts.ts';
import type { Check } from './checks.ts';

/** A search, and everything about it that was checked. */
export interface Verified {
  readonly overview: SearchOverview;
  readonly checks: readonly Check[];
}

/**
 * Checks again every receipt and every citation of a search: against its journal and its conversations, and against the files
 * of the workspace. Changes nothing.
 */
export async function verifySearch(kinds: Kinds, place: Place, findAgent: FindAgent): Promise<Verified> {
  const overview = await overviewOf(kinds, place.folder);
  const receipts = await checkReceipts(overview, await hasOwnJournal(place), findAgent);
  return { overview, checks: [...receipts, ...(await citationChecks(overview, place))] };
}

/** Tells whether this user's programs wrote all of the journal, where it is. */
async function hasOwnJournal({ folder }: Place): Promise<boolean> {
  const key = ownKey();
  const { isHere } = await ownUse(folder);
  return isHere && key !== undefined && (await isOwnJournal(folder, key));
}

async function citationChecks({ tree, store }: SearchOverview, { workspace }: Place): Promise<Check[]> {
  const text = lazyWorkspaceText(workspace);
  try {
    const checks: Check[] = [];
    for (const node of walk(tree.root)) {
      const path = pathOf(node);
      const document = node.parent ? await store.readDocument(path) : undefined;
      if (document === undefined) continue;
      const body = bodyOf(document);
      const records = recordsIn(node.file?.quotations);
      for (const citation of await checkCitations(text, body, records)) {
        const judgement = citation.saysNothing ? NOTHING_SAID : judged(citation, records);
        checks.push({ path, what: 'citation', about: placeText(citation), ...judgement });
      }
    }
    return checks;
  } finally {
    await text.close();
  }
}

/** Of a quotation without any words, such as a bracket. */
const NOTHING_SAID = { result: 'unknown', why: say.noWords() } as const;

/** A file that is not here any more cannot say whether what was once found in it is true. */
function judged(
  { path, mark, opens, fingerprint }: CheckedCitation,
  records: readonly CitationRecord[],
): Pick<Check, 'result' | 'why'> {
  if (mark === 'verified' || mark === 'moved') return { result: 'holds' };
  const was = records.find((record) => record.path === path && record.fingerprint === fingerprint)?.mark;
  if (!opens && was !== undefined && was !== 'not_found') return { result: 'unknown', why: say.fileNotHere() };
  return { result: 'fails', why: mark === 'stale' ? say.quotationStale() : say.quotationNotFound() };
}

function bodyOf(document: string): string {
  try {
    return parseDocument(document).body;
  } catch {
    return document; // a person's front matter need not be valid
  }
}
