import { childSlug } from '../../../core/tree/slug.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { Child } from '../../../engine/nodes/written-nodes.ts';
import { roundOf } from '../protocol/investigation.ts';
import type { OwnFields } from '../run/own-fields.ts';
import { type LedSearch, straysBelow } from './led-investigation.ts';

/** The longest name of a lead's folder, cut anywhere, before searches said it of all their nodes. */
const LONGEST_NAME = 40;

/** A lead, or a check, that is to be added. */
export type NewLead = Pick<OwnFields, 'plannedAction' | 'wrongIf'> & {
  readonly id: string;
  readonly title: string;
  readonly role: 'lead' | 'check';
};

/**
 * Adds leads below a node. A child of the same title that nothing made a lead yet (a kill left it, or a person added it) is
 * that lead; so is its folder, where the loss of power left no title in it.
 */
export async function placeLeads(ctx: LedSearch, above: TreeNode, leads: readonly NewLead[]): Promise<void> {
  const { longestName } = ctx.file;
  const strays = straysBelow(above);
  const slugs = new Set(above.children.map(({ slug }) => slug));
  for (const { slug, title } of strays) if (title === slug) slugs.delete(slug);
  const children = leads.map(({ id: nodeId, title, role, plannedAction, wrongIf }): Child => {
    const name = `${nodeId} ${title}`;
    const cut = longestName === undefined ? name.slice(0, LONGEST_NAME).toWellFormed() : name;
    const named = childSlug(cut, pathOf(above), slugs, longestName);
    const known = strays.find((stray) => stray.title === title || stray.slug === named);
    if (known) strays.splice(strays.indexOf(known), 1);
    const slug = known?.slug ?? named;
    slugs.add(slug);
    const planned = { plannedAction, ...(wrongIf ? { wrongIf } : {}), proposedAt: ctx.clock.now() };
    const own: OwnFields = { nodeId, round: roundOf(nodeId), role, ...planned };
    return { slug, title, fields: { ...(known && known.title !== title && { title }), own } };
  });
  await ctx.nodes.add(above, children, above.parent ? 'list-first' : 'list-last');
}
