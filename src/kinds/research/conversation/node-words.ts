import { withoutToolTurns } from '../../../core/ports/tool-turns.ts';
import { type Conversation, turnOf } from '../../../core/search/conversation.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { notesFor, unheard, withNotes } from '../../../engine/calls/notes.ts';
import type { Words } from '../../../engine/calls/question.ts';
import { workspaceContext } from '../../../engine/grounding/workspace-context.ts';
import { byRule, type ChildrenData, type DocumentData } from '../prompts/prompt-data.ts';
import type { ResearchSearch } from '../research-search.ts';
import { fitContext } from './fit-context.ts';
import { type Above, conversationsAbove } from './node-conversations.ts';

/** The longest answer requested, in tokens. */
const MAX_OUTPUT_TOKENS = { document: 8000, children: 4000 } as const;

/**
 * The words for a node's document or its children: after the conversations above it, with the notes that these do not
 * contain yet, and made to fit into its model.
 * @param text the prompt's own text
 * @throws ThoughtTreeError `bad-request` if they cannot be made to fit
 */
export async function nodeWords(
  ctx: ResearchSearch,
  node: TreeNode,
  conversation: Conversation,
  data: DocumentData | ChildrenData,
  text: string,
  signal: AbortSignal,
): Promise<Words> {
  const [all, notes] = await Promise.all([conversationsAbove(ctx, node), notesFor(ctx, node)]);
  const { purpose } = data;
  const model = ctx.modelFor(purpose);
  const mayUseTools = node.parent !== undefined && model.tools === true && ctx.asks.tools !== undefined;
  // A model without tools must not see any used.
  const above = mayUseTools ? all : all.map(withoutTools);
  const own = mayUseTools ? conversation.turns : withoutToolTurns(conversation.turns);
  const heard = [...above.flatMap((each) => each.conversation.turns), ...own];
  const fresh = unheard(notes, heard);
  const found = purpose === 'document' ? await workspaceContext(ctx, data, heard, signal) : undefined;
  const prompt = withNotes(found?.text ? `${text}\n\n${found.text}` : text, fresh);
  const { shortened, ...fitted } = fitContext({
    model,
    node,
    above,
    own: own.map(turnOf),
    system: ctx.system,
    prompt,
    maxOutputTokens: MAX_OUTPUT_TOKENS[purpose],
    thinking: ctx.asks.roomFor(purpose),
    tokensOf: (bytes) => ctx.asks.tokensOf(model.name, bytes),
  });
  if (shortened) ctx.history.note({ type: 'context-shortened', node: pathOf(node), purpose, ...shortened });
  const isWhole = !shortened && own.length === conversation.turns.length && above.every(({ isStored }) => isStored);
  const noted = {
    ...(fresh.length > 0 ? { notes: fresh.map(({ id }) => id) } : {}),
    ...(found?.quoted.length ? { quoted: found.quoted } : {}),
    ...(found?.citing ? { citing: true } : {}),
  };
  const after = isWhole ? { after: above.map((each) => each.conversation) } : {};
  return { prompt, noted, data: byRule(data), ...fitted, ...after, mayUseTools };
}

function withoutTools({ node, conversation, isStored }: Above): Above {
  const turns = withoutToolTurns(conversation.turns);
  const isWhole = turns.length === conversation.turns.length;
  return { node, conversation: { ...conversation, turns }, isStored: isStored && isWhole };
}
