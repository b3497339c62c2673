import { type CitationCounts, countMarks } from '../../core/citations/citation.ts';
import { recordsIn } from '../../core/citations/citation-marks.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import { parseDocument } from '../../core/text/document.ts';
import { nodeAt, pathOf, type TreeNode, walk } from '../../core/tree/tree.ts';
import { editedDocument } from '../calls/edited-document.ts';
import { citationsChecked } from '../messages.ts';
import { whatChanged } from '../nodes/what-changed.ts';
import type { SearchContext } from '../search-context.ts';
import { folderOf } from './cite-document.ts';
import { type MarkedDocument, markDocument } from './mark-document.ts';

/** Does something while nothing else changes the tree or its files. */
export type Apart = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Rechecks the quotations in the documents of a branch after files of the workspace have changed: a quotation that is no
 * longer in its file becomes *stale*. Changed marks and links are rewritten, except in documents that a person edited:
 * there, only the node's counts change.
 * @param path slug path of the branch; empty for the whole search
 * @param apart runs the writes: reading files may take long, and must not hold anything up
 * @returns the nodes whose counts changed
 */
export async function recheckCitations(
  ctx: SearchContext,
  path: string,
  apart: Apart,
  signal: AbortSignal,
): Promise<TreeNode[]> {
  const top = nodeAt(ctx.tree, path);
  if (!top || !ctx.workspaceText) return [];
  const changed: TreeNode[] = [];
  for (const node of [...walk(top)]) {
    if (signal.aborted) break;
    if (isToCheck(ctx, node) && (await recheckNode(ctx, node, apart, signal))) changed.push(node);
  }
  return changed;
}

function isToCheck(ctx: SearchContext, node: TreeNode): boolean {
  const isThere = node.parent !== undefined && ctx.tree.get(node.id) === node;
  return isThere && node.citations !== undefined && !ctx.nodes.isUnderWay(node);
}

async function recheckNode(ctx: SearchContext, node: TreeNode, apart: Apart, signal: AbortSignal): Promise<boolean> {
  const standing = await ctx.store.readDocument(pathOf(node));
  const marked = standing === undefined ? undefined : await checkAgain(ctx, node, standing);
  if (!marked) return false;
  if (marked.text === standing && sameCounts(countMarks(marked.citations), node.citations)) return false;
  return apart(async () => {
    // It may have been worked on, saved by a person, moved or removed while the files were read.
    if (signal.aborted || !isToCheck(ctx, node)) return false;
    if ((await ctx.store.readDocument(pathOf(node))) !== standing) return false;
    return writeMarks(ctx, node, marked, standing);
  });
}

async function writeMarks(
  ctx: SearchContext,
  node: TreeNode,
  marked: MarkedDocument,
  standing: string | undefined,
): Promise<boolean> {
  const path = pathOf(node);
  const isEdited = marked.text === standing || (await editedDocument(ctx, node)) !== undefined;
  const citations = countMarks(marked.citations);
  const isSame = sameCounts(citations, node.citations);
  const document = isEdited ? undefined : marked.text;
  if (!isSame || document !== undefined)
    await ctx.nodes.change(node, isSame ? {} : { citations }, { by: 'recheck', document });
  if (isSame) return false;
  ctx.history.note({ type: 'reconciled', node: path, ...whatChanged([citationsChecked()]) });
  return true;
}

async function checkAgain(ctx: SearchContext, node: TreeNode, standing: string): Promise<MarkedDocument | undefined> {
  try {
    const records = recordsIn(parseDocument(standing).data);
    return await markDocument(ctx.workspaceText, folderOf(ctx, node), standing, records);
  } catch (error) {
    if (isThoughtTreeError(error, 'bad-answer')) return undefined; // a person's front matter need not be valid
    throw error;
  }
}

function sameCounts(a: CitationCounts, b: CitationCounts | undefined): boolean {
  return b !== undefined && (Object.keys(a) as (keyof CitationCounts)[]).every((mark) => a[mark] === b[mark]);
}
