import type { NodePatch } from '../../core/tree/node-patch.ts';
import { childSlug } from '../../core/tree/slug.ts';
import { lineageOf, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { Child } from '../../engine/nodes/written-nodes.ts';
import type { ProposedChild } from './answers/children-answer.ts';

/**
 * The complete list of a node's children: the existing ones (made by a killed run, or a person), then the model's
 * proposals. A proposal with the title of an existing child is that child.
 * @param same finds a topic that has the same title: a proposal that repeats one above or a child is dropped, and one that
 * repeats another becomes a leaf with a link to it
 */
export function placeChildren(
  node: TreeNode,
  proposals: readonly ProposedChild[],
  same: (title: string) => TreeNode | undefined = () => undefined,
  longestName?: number,
): Child[] {
  const path = pathOf(node);
  const placed: Child[] = [];
  const byTitle = new Map([...node.children].reverse().map((child) => [child.title, child])); // the first of two with the same title
  const slugs = new Set(node.children.map((child) => child.slug));
  const proposed = new Set(proposals.map(({ title }) => title));
  for (const child of node.children)
    if (!proposed.has(child.title) || byTitle.get(child.title) !== child) placed.push(asItIs(child));
  for (const proposal of proposals) {
    const existing = byTitle.get(proposal.title);
    const other = existing ? undefined : same(proposal.title);
    // A node above, or beside it, is no topic below.
    if (other && (other.parent === node || lineageOf(node).includes(other))) continue;
    const slug = existing?.slug ?? childSlug(proposal.title, path, slugs, longestName);
    slugs.add(slug);
    if (existing) placed.push(asItIs(existing, proposal));
    else {
      const merged = other && { status: 'leaf' as const, leafReason: 'duplicate' as const, sameAs: pathOf(other) };
      placed.push({
        slug,
        title: proposal.title,
        fields: merged ? { ...expected(proposal), ...merged } : expected(proposal),
      });
    }
  }
  return placed;
}

/** A child that was made from its list alone, after a kill, still lacks the model's expectation. */
function asItIs(existing: TreeNode, proposal?: ProposedChild): Child {
  const { slug, title } = existing;
  return { slug, title, fields: proposal && !existing.evaluation ? expected(proposal) : undefined };
}

/** Returns the model's expectation of a child, as its first evaluation. */
function expected({ score, why }: ProposedChild): NodePatch | undefined {
  return score === undefined ? undefined : { evaluation: { score, ...(why ? { reasoning: why } : {}) } };
}
