import * as z from 'zod';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { LONGEST_NOTE } from '../../core/tree/node-file.ts';
import { pathOf } from '../../core/tree/tree.ts';
import type { Action } from './action.ts';
import { noteNeeded, noteOnNode, noteOnSearch, notesTooLong } from './messages.ts';

const Args = z.object({ text: z.string().min(1).max(20_000) });

/** Adds a note to the search, or to a branch, for every later prompt there. */
export const note: Action<z.infer<typeof Args>, object> = {
  args: Args,
  result: z.object({}),
  async run({ ctx, node, by }, args) {
    const text = args.text.trim();
    if (text === '') throw new ThoughtTreeError('bad-input', noteNeeded());
    if (!node.parent) {
      const before = (await ctx.store.readNotes())?.trimEnd() ?? '';
      await ctx.store.writeNotes(before === '' ? `${text}\n` : `${before}\n\n${text}\n`);
      return {};
    }
    const before = (await ctx.store.readNodeFile(pathOf(node)))?.note;
    const note = before ? `${before}\n\n${text}` : text;
    // A longer one would be dropped when the file is read again.
    if (note.length > LONGEST_NOTE)
      throw new ThoughtTreeError('bad-input', notesTooLong({ title: node.title, most: LONGEST_NOTE }));
    await ctx.nodes.change(node, { note }, { by });
    return {};
  },
  say: (_result, { parent, title }) => (parent ? noteOnNode({ title }) : noteOnSearch()),
};
