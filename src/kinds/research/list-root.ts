import type { ModelAnswer } from '../../core/ports/model.ts';
import { readChildren } from '../../core/search/children-answer.ts';
import { answerFor, type Conversation, withExchange } from '../../core/search/conversation.ts';
import type { ChildrenData } from '../../core/search/prompt-data.ts';
import type { MoveResult } from '../../core/search/strategy.ts';
import { texts } from '../../core/search/texts.ts';
import { askModel } from '../../engine/calls/ask-model.ts';
import { ROOT_SESSION } from '../../engine/calls/conversations.ts';
import { notesFor, withNotes } from '../../engine/calls/notes.ts';
import { childrenData, MAX_OUTPUT_TOKENS, requestFor, type SearchContext } from '../../engine/search-context.ts';
import { addChildren, placeChildren, writeChildFolders } from './place-children.ts';

/** Makes the first level. The root has no node.json: the folders come first, and its list last, as the sign of done. */
export async function listRoot(ctx: SearchContext, signal: AbortSignal): Promise<MoveResult> {
  const { root } = ctx.tree;
  const answer = await rootAnswer(ctx, signal);
  const children = placeChildren(root, readChildren(answer, ctx.maxChildren));
  await writeChildFolders(ctx, root, children);
  await ctx.store.writeChildren(
    '',
    children.map(({ title, slug }) => ({ title, slug })),
  );
  addChildren(ctx, root, children);
  ctx.tree.update(root, { listed: true });
  return { outcome: 'done' };
}

/** The answer that was paid for already, or a new one. */
async function rootAnswer(ctx: SearchContext, signal: AbortSignal): Promise<string> {
  const stored = await ctx.store.readConversation(ROOT_SESSION);
  const given = stored && answerFor(stored, 'children');
  if (given) return given.text;
  ctx.history.note({ type: 'progress', text: texts.rootExpanding() });
  const data: ChildrenData = childrenData(ctx, ctx.tree.root);
  const prompt = withNotes(ctx.prompts.children(data), await notesFor(ctx, undefined), []);
  const request = { ...requestFor(ctx, 'children', undefined), turns: [], prompt, data };
  const check = ({ text }: ModelAnswer): unknown => readChildren(text, ctx.maxChildren);
  const maxOutputTokens = MAX_OUTPUT_TOKENS.children;
  const { answer } = await askModel(ctx.asker, { ...request, maxOutputTokens }, check, signal);
  const fresh: Conversation = { id: ROOT_SESSION, turns: [] };
  await ctx.store.writeConversation(withExchange(fresh, 'children', prompt, answer.text));
  return answer.text;
}
