import { type CheckedCitation, CitationCounts, countMarks } from '../../core/citations/citation.ts';
import type { ModelAnswer, Turn } from '../../core/ports/model.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import { type CheckedDocument, parseDocument } from '../../core/text/document.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';
import { askModel, type Checked, corrected, recordCall } from '../calls/ask-model.ts';
import { turnsAsked } from '../calls/tool-rounds.ts';
import type { SearchContext } from '../search-context.ts';
import { checkCitations } from './check-citations.ts';
import { type MarkedDocument, markDocument } from './mark-document.ts';
import { failedCitations, whatFailed } from './send-back.ts';

/** A node's folder relative to the workspace folder, with `/`. */
export function folderOf(ctx: Pick<SearchContext, 'folder'>, node: TreeNode): string {
  return [ctx.folder, pathOf(node)].filter((part) => part !== '').join('/');
}

/** A model's document with its citations checked and marked. */
export async function citedDocument(
  ctx: SearchContext,
  node: TreeNode,
  { text }: CheckedDocument,
): Promise<MarkedDocument> {
  const folder = folderOf(ctx, node);
  // A document that cannot be checked has no marks: nothing is lost for it.
  return markDocument(ctx.workspaceText, folder, text).catch(() => markDocument(undefined, folder, text));
}

/** The counts of a document that was marked; undefined where it cites nothing. */
export function countsOf({ citations }: MarkedDocument): CitationCounts | undefined {
  return citations.length > 0 ? countMarks(citations) : undefined;
}

/** The counts that the front matter of a document on disk tells. */
export function countsIn(document: string): CitationCounts | undefined {
  try {
    return CitationCounts.safeParse(parseDocument(document).data['citations']).data;
  } catch {
    return undefined; // a person's front matter need not be readable
  }
}

/** Whether the model writes documents of its own words, whose citations can be checked. */
export function canCite({ workspaceText, model }: Pick<SearchContext, 'workspaceText' | 'model'>): boolean {
  return workspaceText !== undefined && model.prose !== false;
}

/**
 * Sends a document back to its model once, with the quotations that are not in their files; gives the better of the two.
 * The first one was paid for and can be used: where no second one comes, it stands. Throws `aborted` or `lease-lost` only.
 */
export function betterCited(
  ctx: SearchContext,
  check: (answer: ModelAnswer) => CheckedDocument,
  signal: AbortSignal,
): (first: Checked<CheckedDocument>) => Promise<Checked<CheckedDocument>> {
  return async (first) => {
    const text = ctx.workspaceText;
    if (!text) return first;
    const failuresOf = async (document: CheckedDocument): Promise<CheckedCitation[]> =>
      failedCitations(await checkCitations(text, parseDocument(document.text).body, []));
    try {
      const failed = await failuresOf(first.value);
      if (failed.length === 0) return first;
      const again = corrected(first.request, first.answer, await whatFailed(text, failed));
      // What may be used of tools is for both answers together.
      const rounds = { turns: roundsOf(first), made: first.made };
      const second = await askModel(ctx.asker, again, check, signal, true, rounds);
      if ((await failuresOf(second.value)).length > failed.length) return first;
      await recordCall(ctx.asker, first.call, first.request, first.answer.text);
      return second;
    } catch (error) {
      if (signal.aborted || isThoughtTreeError(error, 'aborted', 'lease-lost')) throw error;
      return first;
    }
  };
}

/** The uses of tools on the way to an answer, corrections of it left out. */
function roundsOf({ request, answer }: Checked<CheckedDocument>): Turn[] {
  const turns = turnsAsked(request);
  const [sentBack = ''] = corrected(request, answer, '').prompt.split('\n');
  const begin = turns.findLastIndex(
    ({ role, text, toolResults }) => role === 'user' && !toolResults && !text.startsWith(sentBack),
  );
  return turns.slice(begin + 1).filter(({ toolCalls, toolResults }) => toolCalls ?? toolResults);
}
