import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { childSlug } from '../../core/tree/slug.ts';
import { pathOf } from '../../core/tree/tree.ts';
import { nodeFor, refuseWherePruned, type Steer } from './steering.ts';

/** Adds a node that a person thought of; the empty path means the first level. */
export const addChild: Steer<'add'> = async ({ ctx }, { node: wanted, title: given }) => {
  const parent = wanted === '' ? ctx.tree.root : nodeFor(ctx, wanted);
  refuseWherePruned(parent);
  const title = oneLine(given, 200);
  if (title === '') throw new ThoughtTreeError('bad-input', 'A node needs a title.');
  if (parent === ctx.tree.root && !parent.listed)
    throw new ThoughtTreeError('bad-input', 'The first level is not there yet. Add to it when it is.');
  const path = pathOf(parent);
  const siblings = new Set(parent.children.map((child) => child.slug));
  const slug = ctx.kind.childSlug?.(parent) ?? childSlug(title, path, siblings);
  const childPath = path === '' ? slug : `${path}/${slug}`;
  const node = ctx.tree.add(parent, slug, { title });
  await ctx.store.writeNode(childPath, { title, slug, status: 'unexpanded' }, true);
  await ctx.store.writeChildren(
    path,
    parent.children.map((child) => ({ title: child.title, slug: child.slug })),
  );
  if (parent.status === 'leaf') {
    await ctx.store.writeNode(path, { status: 'expanded', leafReason: undefined });
    ctx.tree.update(parent, { status: 'expanded', leafReason: undefined });
    ctx.history.note({ type: 'node-status', node: path, status: 'expanded' });
  }
  ctx.history.note({ type: 'node-added', node: path, children: [{ slug, title }] });
  ctx.changed([parent.id, node.id]);
  return `"${title}" is added at ${childPath}.`;
};
