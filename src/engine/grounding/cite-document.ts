import { type CheckedCitation, CitationCounts, countMarks } from '../../core/citations/citation.ts';
import { type CheckedDocument, parseDocument } from '../../core/text/document.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { Better } from '../calls/question.ts';
import type { SearchContext } from '../search-context.ts';
import { checkCitations } from './check-citations.ts';
import { inertDocument } from './inert-markdown.ts';
import { type MarkedDocument, markDocument } from './mark-document.ts';
import { failedCitations, whatFailed } from './send-back.ts';

/** A node's folder relative to the workspace folder, with `/`. */
export function folderOf(ctx: Pick<SearchContext, 'folder'>, node: TreeNode): string {
  return [ctx.folder, pathOf(node)].filter((part) => part !== '').join('/');
}

/** A model's document with its citations checked and marked, in which nothing is loaded or run when it is shown. */
export async function citedDocument(
  ctx: Pick<SearchContext, 'folder' | 'workspaceText'>,
  node: TreeNode,
  document: CheckedDocument,
): Promise<MarkedDocument> {
  const folder = folderOf(ctx, node);
  // If a document cannot be checked, it has no marks; nothing else is lost.
  const marked = await markDocument(ctx.workspaceText, folder, document).catch(() =>
    markDocument(undefined, folder, document),
  );
  return { ...marked, text: inertDocument(marked.text) };
}

/** The counts of a marked document; undefined if it cites nothing. */
export function countsOf({ citations }: MarkedDocument): CitationCounts | undefined {
  return citations.length > 0 ? countMarks(citations) : undefined;
}

/** The counts in the front matter of a document on disk. */
export function countsIn(document: string): CitationCounts | undefined {
  try {
    return CitationCounts.safeParse(parseDocument(document).data['citations']).data;
  } catch {
    return undefined; // a person's front matter need not be valid
  }
}

/** Whether the model writes documents in its own words, whose citations can be checked. */
export function canCite({ workspaceText, model }: Pick<SearchContext, 'workspaceText' | 'model'>): boolean {
  return workspaceText !== undefined && model.prose !== false;
}

/** What is wrong with a document whose quotations are not in their files, and which of two documents is better. */
export async function betterCited(
  { workspaceText }: Pick<SearchContext, 'workspaceText'>,
  first: CheckedDocument,
): Promise<Better<CheckedDocument> | undefined> {
  if (!workspaceText) return undefined;
  const failuresOf = async ({ body }: CheckedDocument): Promise<CheckedCitation[]> =>
    failedCitations(await checkCitations(workspaceText, body, []));
  const failed = await failuresOf(first);
  if (failed.length === 0) return undefined;
  return {
    wrong: await whatFailed(workspaceText, failed),
    isBetter: async (second) => (await failuresOf(second)).length <= failed.length,
  };
}
