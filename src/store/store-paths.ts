import type { NodeFileName } from '../core/ports/store.ts';
import { Conversation, RecordedCall } from '../core/search/conversation.ts';
import { outside } from './files/file-path.ts';

export const CONVERSATIONS = '.search/conversations';
export const CALLS = '.search/calls';
/** Tells the search in a folder from any other, also where it is moved; see doc/internals/trust.md. */
export const SEARCH_ID = '.search/id';
/** The hash of the interim report that was last written. */
export const INTERIM = '.search/interim';
/** The levels of a tree that are read: more than any search has. */
export const DEEPEST = 128;
export const DECOMPOSITION = 'decomposition.json';

/** Returns the path of a file of a node. */
export function fileIn(path: string, name: NodeFileName): string {
  return path === '' ? name : `${path}/${name}`;
}

export function documentPath(path: string): string {
  return fileIn(path, 'document.md');
}

/** Ids come from node.json and from other conversations, and so may come from a clone. */
export function isConversationId(id: string): boolean {
  return Conversation.shape.id.safeParse(id).success;
}

/** @throws ThoughtTreeError `outside` for an id that is not a safe name */
export function conversationPath(id: string): string {
  if (!isConversationId(id)) throw outside(id);
  return `${CONVERSATIONS}/${id}.json`;
}

/** @throws ThoughtTreeError `outside` for an id that is not a safe name */
export function callPath(id: string): string {
  if (!RecordedCall.shape.id.safeParse(id).success) throw outside(id);
  return `${CALLS}/${id}.json`;
}
