import type { ModelAnswer } from '../../core/ports/model.ts';
import { type Conversation, openQuestion, withExchange, withRounds } from '../../core/search/conversation.ts';
import type { ChildrenData, DocumentData } from '../../core/search/prompt-data.ts';
import type { TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../search-context.ts';
import { askModel, type Checked, type Rounds } from './ask-model.ts';
import { nodeRequest } from './node-request.ts';
import { afterRounds } from './tool-rounds.ts';

/** A node's conversation, and what is asked in it next. */
export interface Question<T> {
  readonly node: TreeNode;
  readonly conversation: Conversation;
  readonly data: DocumentData | ChildrenData;
  /** The prompt's own words. */
  readonly words: string;
  /** Throws ThoughtTreeError `bad-answer` with words for the model. */
  readonly check: (answer: ModelAnswer) => T;
  /** Makes a better answer of the first one that can be used; that one unless told. */
  readonly improve?: (first: Checked<T>) => Promise<Checked<T>>;
}

/**
 * Asks the next question of a node's conversation. What tools gave on the way is kept at once, so that a process that
 * is killed meanwhile goes on from there and pays for nothing twice; the answer itself is the caller's to keep.
 */
export async function askInConversation<T>(
  ctx: SearchContext,
  { node, conversation, data, words, check, improve }: Question<T>,
  signal: AbortSignal,
): Promise<{ conversation: Conversation; answer: ModelAnswer; value: T }> {
  const { purpose } = data;
  const open = openQuestion(conversation);
  const before = open?.before ?? conversation;
  const { request: fresh, isShortened } = await nodeRequest(ctx, node, before, data, words, signal);
  const { tools } = ctx.asker;
  const begun = open?.purpose === purpose && fresh.tools ? open : undefined;
  const request = begun && tools ? afterRounds(fresh, begun.prompt, begun.rounds, tools) : fresh;
  const prompt = begun?.prompt ?? fresh.prompt;
  const rounds: Rounds = {
    turns: begun?.rounds ?? [],
    keep: (turns) => ctx.store.writeConversation(withRounds(before, purpose, prompt, turns)),
  };
  const first = await askModel(ctx.asker, request, check, signal, isShortened, rounds);
  const after = ({ text, leafReason, session }: ModelAnswer): Conversation =>
    withExchange(before, purpose, prompt, text, { leafReason, session, rounds: rounds.turns });
  // What can be used was paid for: it is kept before a better one is asked for.
  if (improve) await ctx.store.writeConversation(after(first.answer));
  const { answer, value } = improve ? await improve(first) : first;
  return { conversation: after(answer), answer, value };
}
