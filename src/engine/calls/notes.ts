import type { Turn } from '../../core/ports/model.ts';
import { lineageOf, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../search-context.ts';

/** What a person told the search, and the branches down to a node; read anew each time, as notes are plain files. */
export async function notesFor(ctx: SearchContext, node: TreeNode | undefined): Promise<string[]> {
  const branches = node ? lineageOf(node) : [];
  const notes = await Promise.all([
    ctx.store.readNotes(),
    ...branches.map(async (each) => (await ctx.store.readNodeFile(pathOf(each)))?.note),
  ]);
  return notes.flatMap((note) => (note?.trim() ? [note.trim()] : []));
}

/** A prompt with the notes that the conversation has not heard yet. */
export function withNotes(prompt: string, notes: readonly string[], turns: readonly Turn[]): string {
  const fresh = notes.filter((note) => !turns.some(({ role, text }) => role === 'user' && text.includes(note)));
  if (fresh.length === 0) return prompt;
  return `${prompt}\n\nNotes from the person who leads this search, to be followed:\n<notes>\n${fresh.join('\n\n')}\n</notes>`;
}
