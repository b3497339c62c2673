import type { ConversationTurn } from '../../core/search/conversation.ts';
import { digest } from '../../core/text/text.ts';
import { lineageOf, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../../engine/context.ts';

/** A person's note for the search, or a branch. A changed one is another note. */
export interface Note {
  readonly id: string;
  readonly text: string;
}

const HEADING = 'Notes from the person who leads this search, to be followed:\n<notes>\n';
const END = '\n</notes>';

/** Returns the notes for the search, and for the branches down to a node; read each time, as notes are plain files. */
export async function notesFor(ctx: SearchContext, node: TreeNode | undefined): Promise<Note[]> {
  const branches = node ? lineageOf(node) : [];
  const notes = await Promise.all([
    ctx.store.readNotes(),
    ...branches.map(async (each) => (await ctx.store.readNodeFile(pathOf(each)))?.note),
  ]);
  const texts = notes.flatMap((note) => (note?.trim() ? [note.trim()] : []));
  return texts.map((text) => ({ id: digest(text), text }));
}

/** Notes as one text. */
export function notesText(notes: readonly Note[]): string {
  return notes.map(({ text }) => text).join('\n\n');
}

/** Returns a prompt with notes at its end. */
export function withNotes(prompt: string, notes: readonly Note[]): string {
  return notes.length === 0 ? prompt : `${prompt}\n\n${HEADING}${notesText(notes)}${END}`;
}

/** Returns the notes that a conversation does not contain yet. */
export function unheard(notes: readonly Note[], turns: readonly ConversationTurn[]): Note[] {
  return notes.filter(({ id }) => !turns.some((turn) => turn.role === 'user' && turn.notes?.includes(id)));
}

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

/** The name of the root's own conversation: the root has no node.json that could name it. */
export const ROOT_SESSION = 'root';
