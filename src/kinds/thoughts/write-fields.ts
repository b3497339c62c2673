import type { NodeFile } from '../../core/search/search-file.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../../engine/search-context.ts';

/** Sets fields of a node: on disk, then in the tree, then told to whoever listens. */
export async function writeFields(
  ctx: SearchContext,
  node: TreeNode,
  fields: Partial<Omit<NodeFile, 'title' | 'slug' | 'note'>>,
  flush = false,
): Promise<void> {
  const path = pathOf(node);
  await ctx.store.writeNode(path, fields, flush);
  const { why: _why, ...known } = fields;
  ctx.tree.update(node, known as object);
  const { status, prunedBy, leafReason, evaluation, selected, sameAs } = node;
  ctx.history.note({
    type: 'node-status',
    node: path,
    status,
    ...(prunedBy && status === 'pruned' && { prunedBy }),
    ...(leafReason && { leafReason }),
    ...(evaluation && { evaluation }),
    ...(selected === undefined ? {} : { selected }),
    ...(sameAs === undefined ? {} : { sameAs }),
  });
}
