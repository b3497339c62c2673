import { ThoughtTreeError } from '../../core/search/errors.ts';
import { pathOf } from '../../core/tree/tree.ts';
import { editedDocument } from '../calls/conversations.ts';
import { editedByPerson, redoing } from '../messages.ts';
import { nodeFor, refuseWherePruned, type Steer } from './steering.ts';

/**
 * Has a document written anew, in a fresh conversation; its children stay. The old text is set aside, and one that a
 * person edited is touched only when that was said to be right.
 */
export const redoDocument: Steer<'redo'> = async (steering, { node: wanted, force }) => {
  const { ctx, by, release, wish } = steering;
  const node = nodeFor(ctx, wanted);
  refuseWherePruned(node);
  const own = ctx.kind.redo;
  if (own) {
    await release(new Set([node.id]));
    return await own(ctx, node, by);
  }
  if (!force && (await editedDocument(ctx, node)) !== undefined)
    throw new ThoughtTreeError('edited', editedByPerson({ title: node.title }));
  await release(new Set([node.id]));
  await ctx.store.setDocumentAside(pathOf(node));
  await ctx.nodes.change(node, { sessionId: null, summary: null }, { by });
  await ctx.nodes.reopen(node, { by });
  wish(node.id);
  return redoing({ title: node.title });
};
