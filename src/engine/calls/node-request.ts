import type { ModelRequest } from '../../core/ports/model.ts';
import { withoutToolTurns } from '../../core/ports/tool-turns.ts';
import type { Conversation } from '../../core/search/conversation.ts';
import type { ChildrenData, DocumentData } from '../../core/search/prompt-data.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';
import { workspaceContext } from '../grounding/workspace-context.ts';
import { MAX_OUTPUT_TOKENS, requestFor, type SearchContext } from '../search-context.ts';
import { type Above, conversationsAbove, turnsOf } from './conversations.ts';
import { fitContext } from './fit-context.ts';
import { notesFor, withNotes } from './notes.ts';
import { withToolbox } from './tool-rounds.ts';

/**
 * The request for a node's document or its children: forked from what stands above it, with the notes that were not
 * heard yet, and made to fit into its model.
 * @throws ThoughtTreeError `bad-request` where it cannot be made to fit
 */
export async function nodeRequest(
  ctx: SearchContext,
  node: TreeNode,
  conversation: Conversation,
  data: DocumentData | ChildrenData,
  words: string,
  signal: AbortSignal,
): Promise<{ request: ModelRequest; isShortened: boolean }> {
  const [all, notes] = await Promise.all([conversationsAbove(ctx, node), notesFor(ctx, node)]);
  const tools = ctx.modelFor(data.purpose).tools ? ctx.asker.tools : undefined;
  // A model that is given none must not see any used.
  const above = tools ? all : all.map(withoutTools);
  const own = tools ? turnsOf(conversation) : withoutToolTurns(turnsOf(conversation));
  const heard = [...above.flatMap((each) => turnsOf(each.conversation)), ...own];
  const { purpose } = data;
  const found = purpose === 'document' ? await workspaceContext(ctx, data, heard, signal) : '';
  const prompt = withNotes(found === '' ? words : `${words}\n\n${found}`, notes, heard);
  const asked = { ...requestFor(ctx, purpose, node), prompt, data };
  const model = ctx.modelFor(purpose);
  const tokensOf = (bytes: number): number => ctx.asker.caller.estimate.tokens(model.name, bytes);
  const { turns, shared, maxOutputTokens, shortened } = fitContext({
    model,
    node,
    above,
    own,
    system: asked.system,
    prompt: asked.prompt,
    maxOutputTokens: MAX_OUTPUT_TOKENS[purpose],
    tokensOf,
  });
  if (shortened) ctx.history.note({ type: 'context-shortened', node: pathOf(node), purpose, ...shortened });
  const request = withToolbox({ ...asked, turns, ...(shared > 0 ? { shared } : {}), maxOutputTokens }, tools);
  return { request, isShortened: shortened !== undefined };
}

function withoutTools({ node, conversation }: Above): Above {
  return { node, conversation: { ...conversation, turns: withoutToolTurns(conversation.turns) } };
}
