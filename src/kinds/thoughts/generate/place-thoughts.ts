import type { NodeFile } from '../../../core/search/search-file.ts';
import { texts } from '../../../core/search/texts.ts';
import { thoughtId, thoughtSlug } from '../../../core/search/thought-id.ts';
import type { Thought } from '../../../core/search/thought-messages.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import { documentOf, titleOf } from '../thought-document.ts';
import { thoughtsOf } from '../thought-search.ts';
import type { CheckedThought } from './check-thought.ts';

/** One thought as it will stand on disk. */
export interface PlacedThought {
  readonly slug: string;
  readonly path: string;
  readonly thought: Thought;
  readonly file: Partial<NodeFile> & { title: string; status: NodeFile['status'] };
}

/**
 * Gives new thoughts their numbers, from the first one of their try on. A number that a person's node has taken
 * meanwhile is passed over; one that a run that was killed gave to the same thought is that thought.
 */
export function placeThoughts(
  node: TreeNode,
  first: number,
  thoughts: readonly { thought: Thought; checked: CheckedThought }[],
): PlacedThought[] {
  const parentPath = pathOf(node);
  const titles = new Map(node.children.map(({ slug, title }) => [slug, title]));
  let number = first;
  return thoughts.map(({ thought, checked }) => {
    const title = titleOf(thought.content);
    let slug = thoughtSlug(parentPath, number++);
    while (titles.has(slug) && titles.get(slug) !== title) slug = thoughtSlug(parentPath, number++);
    const path = parentPath === '' ? slug : `${parentPath}/${slug}`;
    return { slug, path, thought, file: { title, slug, ...checked } };
  });
}

/** Writes the folders of thoughts: the document first, so that what stands has its text. */
export async function writeThoughts(
  ctx: SearchContext,
  node: TreeNode,
  placed: readonly PlacedThought[],
): Promise<void> {
  const parentId = thoughtId(node);
  for (const { path, slug, thought, file } of placed) {
    await ctx.store.writeNode(path, file, true);
    if ((await ctx.store.readDocument(path)) === undefined)
      await ctx.store.writeDocument(path, documentOf(thought, slug, parentId, node.depth + 1));
    if (file.status === 'leaf') await ctx.store.writeChildren(path, []);
  }
}

/** The whole list of a node's children, as children.json gets it. */
export function listWith(node: TreeNode, placed: readonly PlacedThought[]): { title: string; slug: string }[] {
  const list = node.children.map(({ title, slug }) => ({ title, slug }));
  const known = new Set(list.map(({ slug }) => slug));
  return [
    ...list,
    ...placed.filter(({ slug }) => !known.has(slug)).map(({ slug, file }) => ({ title: file.title, slug })),
  ];
}

/** Takes what was written into the tree, and tells of it. */
export function addThoughts(ctx: SearchContext, node: TreeNode, placed: readonly PlacedThought[]): void {
  const { states } = thoughtsOf(ctx);
  const fresh: PlacedThought[] = [];
  for (const each of placed) {
    const { slug: _slug, why: _why, ...fields } = each.file;
    const standing = node.children.find(({ slug }) => slug === each.slug);
    if (standing) ctx.tree.update(standing, fields as object);
    else fresh.push(each);
    const added = standing ?? ctx.tree.add(node, each.slug, fields as { title: string });
    ctx.tree.update(added, { listed: added.status === 'leaf' });
    states.add(added);
  }
  if (fresh.length > 0) {
    const children = fresh.map(({ slug, file }) => ({ slug, title: file.title }));
    ctx.history.note({ type: 'node-added', node: pathOf(node), children });
  }
  for (const { path, file } of placed)
    if (file.status !== 'unexpanded') {
      const { status, prunedBy, leafReason } = file;
      ctx.history.note({
        type: 'node-status',
        node: path,
        status,
        ...(prunedBy && { prunedBy }),
        ...(leafReason && { leafReason }),
      });
      if (leafReason === 'solved') ctx.history.note({ type: 'progress', text: texts.solutionFound() });
    }
}
