import { childSlug } from '../../../core/tree/slug.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { Child } from '../../../engine/nodes/written-nodes.ts';
import { roundOf } from '../protocol/investigation.ts';
import type { ProposedNode } from '../protocol/propose.ts';
import type { OwnFields } from '../run/own-fields.ts';
import { type LedSearch, straysBelow } from './led-investigation.ts';

/** The longest name of a lead's folder, in characters: there is at least one folder for each round. */
const LONGEST_NAME = 40;

/**
 * Adds proposed leads below a node. A child of the same title that nothing made a lead yet (a kill left it, or a person
 * added it) is that lead.
 * @param order titles of leads of the same list, which may exist already, in its order
 */
export async function placeLeads(
  ctx: LedSearch,
  above: TreeNode,
  leads: readonly ProposedNode[],
  order: readonly string[] = [],
): Promise<void> {
  const strays = straysBelow(above);
  const slugs = new Set(above.children.map(({ slug }) => slug));
  const children = leads.map((lead): Child => {
    const { id: nodeId, title, plannedAction } = lead;
    const known = strays.find((stray) => stray.title === title);
    if (known) strays.splice(strays.indexOf(known), 1);
    const slug =
      known?.slug ?? childSlug(`${nodeId} ${title}`.slice(0, LONGEST_NAME).toWellFormed(), pathOf(above), slugs);
    slugs.add(slug);
    const own: OwnFields = { nodeId, round: roundOf(nodeId), plannedAction, proposedAt: ctx.clock.now() };
    return { slug, title, fields: { own } };
  });
  const existing = above.children.filter(
    ({ title, slug }) => order.includes(title) && !children.some((one) => one.slug === slug),
  );
  const all = [...children, ...existing.map(({ slug, title }): Child => ({ slug, title }))];
  const placeOf = ({ title }: Child): number => order.indexOf(title);
  await ctx.nodes.add(
    above,
    order.length > 0 ? all.sort((a, b) => placeOf(a) - placeOf(b)) : children,
    above.parent ? 'list-first' : 'list-last',
  );
}
