import { pathOf } from '../../core/tree/tree.ts';
import { noteOnNode, noteOnSearch } from '../messages.ts';
import { nodeFor, type Steer } from './steering.ts';

/** Adds a note to the search, or to a branch: every later prompt there has it. */
export const takeNote: Steer<'note'> = async ({ ctx, by }, { node: path, text }) => {
  const note = text.trim();
  if (path === undefined || path === '') {
    const before = (await ctx.store.readNotes())?.trimEnd() ?? '';
    await ctx.store.writeNotes(before === '' ? `${note}\n` : `${before}\n\n${note}\n`);
    return noteOnSearch();
  }
  const node = nodeFor(ctx, path);
  const before = (await ctx.store.readNodeFile(pathOf(node)))?.note;
  await ctx.nodes.change(node, { note: before ? `${before}\n\n${note}` : note }, { flush: true, by });
  return noteOnNode({ title: node.title });
};
