import type { ProposedChild } from '../../core/search/children-answer.ts';
import type { NodeFile } from '../../core/search/search-file.ts';
import type { Evaluation } from '../../core/tree/node-status.ts';
import { childSlug } from '../../core/tree/slug.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../../engine/search-context.ts';

/** One child of a node as it will stand in children.json and in its own node.json. */
export interface PlacedChild {
  readonly slug: string;
  readonly title: string;
  /** The child where it stands already. */
  readonly standing?: TreeNode | undefined;
  /** What its node.json gets; undefined where it has all of that. */
  readonly file: Partial<NodeFile> | undefined;
}

/**
 * The whole list of a node's children: what stands there already (a run that was killed, or a person, made it), then
 * what the model proposes beside it. A proposal of the same title is the child that stands.
 */
export function placeChildren(node: TreeNode, proposals: readonly ProposedChild[]): PlacedChild[] {
  const path = pathOf(node);
  const placed: PlacedChild[] = [];
  const byTitle = new Map([...node.children].reverse().map((child) => [child.title, child])); // the first of two alike
  const slugs = new Set(node.children.map((child) => child.slug));
  const proposed = new Set(proposals.map(({ title }) => title));
  for (const child of node.children)
    if (!proposed.has(child.title) || byTitle.get(child.title) !== child) placed.push(asItStands(child));
  for (const proposal of proposals) {
    const standing = byTitle.get(proposal.title);
    const slug = standing?.slug ?? childSlug(proposal.title, path, slugs);
    slugs.add(slug);
    placed.push(
      standing ? asItStands(standing, proposal) : { slug, title: proposal.title, file: fileFor(slug, proposal) },
    );
  }
  return placed;
}

/** A child that was made from its list alone, after a kill, has yet to get what the model expects of it. */
function asItStands(standing: TreeNode, proposal?: ProposedChild): PlacedChild {
  const { slug, title } = standing;
  const evaluation = standing.evaluation ? undefined : proposal && evaluationOf(proposal);
  return { slug, title, standing, file: evaluation && { evaluation } };
}

function fileFor(slug: string, proposal: ProposedChild): Partial<NodeFile> {
  const evaluation = evaluationOf(proposal);
  return { title: proposal.title, slug, status: 'unexpanded', ...(evaluation ? { evaluation } : {}) };
}

function evaluationOf({ score, why }: ProposedChild): Evaluation | undefined {
  return score === undefined ? undefined : { score, ...(why ? { reasoning: why } : {}) };
}

/** Writes the folders of children that have none yet, and what others lack. */
export async function writeChildFolders(
  ctx: SearchContext,
  node: TreeNode,
  children: readonly PlacedChild[],
): Promise<void> {
  const path = pathOf(node);
  const at = (slug: string): string => (path === '' ? slug : `${path}/${slug}`);
  await Promise.all(children.map(({ slug, file }) => (file ? ctx.store.writeNode(at(slug), file) : undefined)));
}

/** Takes written children into the tree, in their order, and tells of the new ones. */
export function addChildren(ctx: SearchContext, node: TreeNode, children: readonly PlacedChild[]): void {
  const fresh = children.filter(({ standing }) => !standing);
  for (const { slug, title, standing, file } of children)
    if (!standing) ctx.tree.add(node, slug, { title, evaluation: file?.evaluation });
    else if (file) ctx.tree.update(standing, { evaluation: file.evaluation });
  ctx.tree.reorder(
    node,
    children.map(({ slug }) => slug),
  );
  if (fresh.length === 0) return;
  const told = fresh.map(({ slug, title, file }) => ({
    slug,
    title,
    ...(file?.evaluation ? { score: file.evaluation.score } : {}),
  }));
  ctx.history.note({ type: 'node-added', node: pathOf(node), children: told });
}
