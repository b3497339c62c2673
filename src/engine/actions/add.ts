import * as z from 'zod';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { childSlug } from '../../core/tree/slug.ts';
import { joinedPath } from '../../core/tree/slug-path.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { Action } from './action.ts';
import { added, addedBelow, titleNeeded } from './messages.ts';

const Args = z.object({ title: z.string().min(1).max(1000) });
const Result = z.object({
  path: z.string(),
  title: z.string(),
  /** The title of the node above it; missing on the first level. */
  parent: z.string().optional(),
});

/**
 * Adds a person's own node, which is worked on next, whatever ranking and size say.
 * @param slugOf its name on disk
 */
export function addingWith(
  slugOf: (parent: TreeNode, title: string, longestName: number | undefined) => string,
): Action<z.infer<typeof Args>, z.infer<typeof Result>> {
  return {
    args: Args,
    result: Result,
    async run({ ctx, loop, node: parent, by }, given) {
      const title = oneLine(given.title, 200);
      if (title === '') throw new ThoughtTreeError('bad-input', titleNeeded());
      const slug = slugOf(parent, title, ctx.file.longestName);
      const [own] = await ctx.nodes.add(parent, [{ slug, title }], 'list-last', { by });
      if (parent.status === 'leaf') await ctx.nodes.change(parent, { status: 'expanded', leafReason: null }, { by });
      if (own) loop.wish(own.id);
      const above = parent.parent ? { parent: oneLine(parent.title, 200) } : {};
      return { path: joinedPath(pathOf(parent), slug), title, ...above };
    },
    say: ({ title, parent }) => (parent === undefined ? added({ title }) : addedBelow({ title, parent })),
  };
}

/** Adds a node whose folder is named after its title. */
export const add = addingWith((parent, title, longestName) =>
  childSlug(title, pathOf(parent), new Set(parent.children.map(({ slug }) => slug)), longestName),
);
