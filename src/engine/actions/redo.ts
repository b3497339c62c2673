import * as z from 'zod';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { editedDocument } from '../calls/edited-document.ts';
import type { Action } from './action.ts';
import { editedByPerson, redoing } from './messages.ts';

/** `force`: even if a person edited the document. */
export const RedoArgs = z.object({ force: z.boolean().optional() });

/**
 * Rewrites a document, in a fresh conversation; its children stay. The old text is kept separately, and one that a person
 * edited is only touched if they agreed.
 */
export const redo: Action<z.infer<typeof RedoArgs>, object> = {
  args: RedoArgs,
  result: z.object({}),
  async run({ ctx, loop, node, by }, { force = false }) {
    if (!force && (await editedDocument(ctx, node)) !== undefined)
      throw new ThoughtTreeError('edited', editedByPerson({ title: node.title }));
    await loop.release(new Set([node.id]));
    await ctx.nodes.change(node, { sessionId: null, summary: null }, { by, document: null });
    await ctx.nodes.reopen(node, { by });
    loop.wish(node.id);
    return {};
  },
  say: (_result, { title }) => redoing({ title }),
};
