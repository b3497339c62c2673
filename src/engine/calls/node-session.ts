import type { TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../search-context.ts';

/**
 * The conversation in which a node is worked on: its own, unless that is about something else. A person may have given the
 * node another title, or made it from the file of another one: what was answered there is no answer for it.
 */
export async function sessionOf(
  { store, random }: Pick<SearchContext, 'store' | 'random'>,
  { sessionId, title }: TreeNode,
): Promise<string> {
  const stored = sessionId === undefined ? undefined : await store.readConversation(sessionId);
  const isOther = stored?.title !== undefined && stored.title !== title;
  return sessionId === undefined || isOther ? random.id() : sessionId;
}
