import { noted } from '../../../core/messages/kept.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { Child } from '../../../engine/nodes/written-nodes.ts';
import { solutionFound } from '../messages.ts';
import type { Thought } from '../prompts/thought-messages.ts';
import { documentOf, titleOf } from '../thought-document.ts';
import { thoughtId, thoughtSlug } from '../thought-id.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import type { CheckedThought } from './check-thought.ts';

/** One thought as it will be on disk. */
export interface PlacedThought {
  readonly slug: string;
  readonly title: string;
  readonly thought: Thought;
  readonly fields: CheckedThought;
}

/**
 * Gives new thoughts their numbers, from the first one of their round on. A number that a person's node has taken meanwhile
 * is skipped; if a killed run gave a number to the same thought, it is that thought.
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
    const title = titleOf(thought);
    let slug = thoughtSlug(parentPath, number++);
    while (titles.has(slug) && titles.get(slug) !== title) slug = thoughtSlug(parentPath, number++);
    return { slug, title, thought, fields: checked };
  });
}

/** Makes thoughts the children of a node, in order after the existing ones. */
export async function addThoughts(
  ctx: ThoughtSearch,
  node: TreeNode,
  placed: readonly PlacedThought[],
  order: 'list-first' | 'list-last',
): Promise<void> {
  const nodes = await ctx.nodes.add(node, withStanding(node, placed), order);
  for (const each of nodes) ctx.states.add(each);
  for (const { fields } of placed)
    if (fields.leafReason === 'solved') ctx.history.note({ type: 'progress', ...noted(solutionFound()) });
}

/** The complete list of a node's children: existing ones keep their place. */
function withStanding(node: TreeNode, placed: readonly PlacedThought[]): Child[] {
  const parentId = thoughtId(node);
  const asChild = ({ slug, title, thought, fields }: PlacedThought): Child => {
    return { slug, title, fields, document: documentOf(thought, slug, parentId, node.depth + 1) };
  };
  const fresh = new Map(placed.map((each) => [each.slug, asChild(each)]));
  const standing = node.children.map(({ slug, title }) => fresh.get(slug) ?? { slug, title });
  const known = new Set(standing.map(({ slug }) => slug));
  return [...standing, ...[...fresh.values()].filter(({ slug }) => !known.has(slug))];
}
