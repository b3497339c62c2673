import { type CitationCounts, countMarks } from '../../core/citation.ts';
import { recordsIn } from '../../core/citation-marks.ts';
import { parseDocument } from '../../core/document.ts';
import { isThoughtTreeError } from '../../core/errors.ts';
import { nodeAt, pathOf, type TreeNode, walk } from '../../core/tree.ts';
import { editedDocument } from '../conversations.ts';
import type { SearchContext } from '../search-context.ts';
import { folderOf } from './cite-document.ts';
import { type MarkedDocument, markDocument } from './mark-document.ts';

/**
 * Checks again what the documents of a branch quote, after files of the workspace have changed: a quotation that was in
 * its file and is no more becomes *stale*. Marks and links are written anew where they changed; in a document that a
 * person edited nothing is, and only the node's counts tell.
 * @param path slug path of the branch; empty for the whole search
 * @returns the nodes whose counts changed
 */
export async function recheckCitations(ctx: SearchContext, path: string): Promise<TreeNode[]> {
  const top = nodeAt(ctx.tree, path);
  if (!top || !ctx.workspaceText) return [];
  const changed: TreeNode[] = [];
  for (const node of [...walk(top)])
    if (node.parent && node.citations && !ctx.underWay.has(node.id) && (await recheckNode(ctx, node)))
      changed.push(node);
  return changed;
}

async function recheckNode(ctx: SearchContext, node: TreeNode): Promise<boolean> {
  const path = pathOf(node);
  const standing = await ctx.store.readDocument(path);
  const marked = standing === undefined ? undefined : await checkAgain(ctx, node, standing);
  if (!marked) return false;
  const isEdited = marked.text === standing || (await editedDocument(ctx, node)) !== undefined;
  // A person may have saved the document, or removed it, while the files were read.
  if ((await ctx.store.readDocument(path)) !== standing || ctx.tree.get(node.id) !== node) return false;
  if (!isEdited) await ctx.store.writeDocument(path, marked.text);
  const citations = countMarks(marked.citations);
  if (sameCounts(citations, node.citations)) return false;
  await ctx.store.writeNode(path, { citations });
  ctx.tree.update(node, { citations });
  ctx.history.note({ type: 'reconciled', node: path, what: 'citations checked again' });
  return true;
}

async function checkAgain(ctx: SearchContext, node: TreeNode, standing: string): Promise<MarkedDocument | undefined> {
  try {
    const records = recordsIn(parseDocument(standing).data);
    return await markDocument(ctx.workspaceText, folderOf(ctx, node), standing, records);
  } catch (error) {
    if (isThoughtTreeError(error, 'bad-answer')) return undefined; // a person's front matter need not be readable
    throw error;
  }
}

function sameCounts(a: CitationCounts, b: CitationCounts | undefined): boolean {
  return b !== undefined && (Object.keys(a) as (keyof CitationCounts)[]).every((mark) => a[mark] === b[mark]);
}
