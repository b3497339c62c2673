import type { ReadStore } from '../../../core/ports/store.ts';
import type { SearchRecord } from '../../../core/search/record/search-record.ts';
import { firstParagraph, parseDocument, writeDocument } from '../../../core/text/document.ts';
import { oneLine } from '../../../core/text/text.ts';
import { pathOf, type Tree } from '../../../core/tree/tree.ts';
import { activeMarkdown, inertMarkdown } from '../../../engine/grounding/inert-markdown.ts';
import { leadsIn, unappliedIn } from './read-investigation.ts';

const LONGEST_SUMMARY = 300;

/** Findings as a document: nothing in it is loaded or run when it is shown; `escaped` in its front matter says so. */
export function findingsDocument(node: { id: string; title: string; state: string; findings: string }): string {
  const body = inertMarkdown(node.findings);
  const { title, state, id, findings } = node;
  const escaped = body === findings ? {} : { escaped: true };
  return writeDocument({ title, summary: summaryOf(state, findings), id, ...escaped }, body);
}

/** Returns what was found, in a line, for lists. */
export function summaryOf(state: string, findings: string): string {
  return oneLine(`${state}: ${firstParagraph(findings)}`, LONGEST_SUMMARY);
}

/** The findings in a document, as they were committed or as a person edited them, without empty lines around them. */
export function findingsIn(document: string): string {
  try {
    const { data, body } = parseDocument(document);
    return (data['escaped'] === true ? activeMarkdown(body) : body).trim();
  } catch {
    return document.trim(); // a person's front matter need not be valid
  }
}

/** The findings of all committed nodes by their ids, also of those whose files are not made yet. */
export async function readFindings(
  store: Pick<ReadStore, 'readDocument'>,
  tree: Tree,
  record: SearchRecord,
): Promise<ReadonlyMap<string, string>> {
  const committed = leadsIn(tree).filter(({ own }) => own.state !== undefined);
  const read = committed.map(async ({ node, own }): Promise<[string, string][]> => {
    const document = await store.readDocument(pathOf(node));
    return document === undefined ? [] : [[own.nodeId, findingsIn(document)]];
  });
  const coming = unappliedIn(record).flatMap(({ change }) => (change.do === 'commit' ? change.results : []));
  return new Map([...(await Promise.all(read)).flat(), ...coming.map(({ id, findings }) => [id, findings] as const)]);
}
