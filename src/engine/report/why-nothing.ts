import type { Message } from '../../core/messages/message.ts';
import type { SearchContext } from '../search-context.ts';
import { noSuchWords } from './messages.ts';

/** Why a search has come to its end without a single node, if that is known; undefined if it has some, or is not done. */
export function whyNothing({ model, tree: { root } }: Pick<SearchContext, 'model' | 'tree'>): Message | undefined {
  if (model.prose !== false || !root.listed || root.children.length > 0) return undefined;
  return noSuchWords({ model: model.name });
}
