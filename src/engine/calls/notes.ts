import type { ConversationTurn } from '../../core/search/conversation.ts';
import { digest } from '../../core/text/digest.ts';
import { lineageOf, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../search-context.ts';

/** A person's note for the search, or a branch. A changed one is another note. */
export interface Note {
  readonly id: string;
  readonly text: string;
}

const HEADING = 'Notes from the person who leads this search, to be followed:\n<notes>\n';
const END = '\n</notes>';

/** The notes for the search, and for the branches down to a node; read each time, as notes are plain files. */
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

/** A prompt with notes at its end. */
export function withNotes(prompt: string, notes: readonly Note[]): string {
  return notes.length === 0 ? prompt : `${prompt}\n\n${HEADING}${notesText(notes)}${END}`;
}

/** The notes that a conversation does not contain yet. */
export function unheard(notes: readonly Note[], turns: readonly ConversationTurn[]): Note[] {
  return notes.filter(({ id }) => !turns.some((turn) => turn.role === 'user' && turn.notes?.includes(id)));
}
