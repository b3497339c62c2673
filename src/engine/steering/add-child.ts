import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { childSlug } from '../../core/tree/slug.ts';
import { joinedPath } from '../../core/tree/slug-path.ts';
import { pathOf } from '../../core/tree/tree.ts';
import * as say from '../messages.ts';
import { nodeFor, refuseWherePruned, type Steer } from './steering.ts';

/** Adds a node that a person thought of; the empty path means the first level. */
export const addChild: Steer<'add'> = async ({ ctx, by }, { node: wanted, title: given }) => {
  const parent = wanted === '' ? ctx.tree.root : nodeFor(ctx, wanted);
  refuseWherePruned(parent);
  const title = oneLine(given, 200);
  if (title === '') throw new ThoughtTreeError('bad-input', say.titleNeeded());
  if (parent === ctx.tree.root && !parent.listed) throw new ThoughtTreeError('bad-input', say.noFirstLevel());
  const path = pathOf(parent);
  const siblings = new Set(parent.children.map((child) => child.slug));
  const slug = ctx.kind.childSlug?.(parent) ?? childSlug(title, path, siblings);
  await ctx.nodes.add(parent, [{ slug, title }], 'list-last', { flush: true, by });
  if (parent.status === 'leaf') await ctx.nodes.change(parent, { status: 'expanded', leafReason: null }, { by });
  return say.added({ title, path: joinedPath(path, slug) });
};
