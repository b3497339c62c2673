import { countsIn, entryOf, marksOf, type NodeMarks, recordsIn } from '../../core/citations/citation-marks.ts';
import { type CheckedDocument, parseDocument } from '../../core/text/document.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../search-context.ts';
import { checkCitations } from './check-citations.ts';
import { inertDocument } from './inert-markdown.ts';
import { type MarkedDocument, markDocument } from './mark-document.ts';

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

/**
 * The marks of a document that is on disk already, as after a kill right behind it: node.json gets them with the node's final
 * status. The check is made again; without a workspace, or of a text that is a person's, its front matter counts.
 */
export async function standingMarks(
  ctx: Pick<SearchContext, 'folder' | 'workspaceText'>,
  node: TreeNode,
  document: string,
  isModels: boolean,
): Promise<NodeMarks> {
  try {
    const { data, body } = parseDocument(document);
    const records = recordsIn(node.file?.quotations);
    const checked = isModels && ctx.workspaceText ? await checkCitations(ctx.workspaceText, body, records) : [];
    const said = { citations: countsIn(data), quotations: records.length > 0 ? records.map(entryOf) : undefined };
    return checked.length > 0 ? marksOf(checked) : said;
  } catch {
    return { citations: undefined, quotations: undefined }; // a person's front matter need not be valid
  }
}
