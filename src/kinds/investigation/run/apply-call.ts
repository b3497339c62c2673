import { oneLine } from '../../../core/text/text.ts';
import type { NodeData } from '../../../core/tree/node-file.ts';
import { isPruned, type TreeNode } from '../../../core/tree/tree.ts';
import type { Child } from '../../../engine/nodes/written-nodes.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import { type AcceptedResult, type Proposal, roundOf } from '../protocol/investigation.ts';
import type { State } from '../protocol/profiles.ts';
import { findingsDocument, summaryOf } from './findings.ts';
import type { KeptCall } from './kept-change.ts';
import type { OwnFields } from './own-fields.ts';
import { type Lead, leadsIn, titleOf } from './read-investigation.ts';

/** Makes the files of an accepted call. Repeated after a kill, it adds what is missing and changes nothing else. */
export async function applyCall(ctx: SearchContext, { change, slugs }: KeptCall, by: string): Promise<void> {
  if (change.do === 'propose') await applyProposals(ctx, change.nodes, slugs, by);
  if (change.do === 'commit') await applyResults(ctx, change.results, change.progress.commits, by);
  if (change.do !== 'reclassify') return;
  const lead = leadOf(ctx, change.id);
  if (lead) await settle(ctx, lead, { state: change.state }, by);
}

/** The node of an investigation with an id; one that stands before one that was taken out. */
function leadOf({ tree }: SearchContext, id: string): Lead | undefined {
  const all = leadsIn(tree).filter(({ own }) => own.nodeId === id);
  return all.find(({ node }) => !isPruned(node)) ?? all[0];
}

async function applyProposals(
  ctx: SearchContext,
  proposals: readonly Proposal[],
  slugs: Readonly<Record<string, string>>,
  by: string,
): Promise<void> {
  const byParent = Map.groupBy(proposals, ({ parent }) => parent);
  for (const [parent, nodes] of byParent) {
    const above = parent === null ? ctx.tree.root : leadOf(ctx, parent)?.node;
    if (!above) continue; // a person removed it
    for (const { id } of nodes) await withdrawElsewhere(ctx, id, above, by);
    const children = nodes.flatMap((node) => {
      const slug = slugs[node.id];
      return slug === undefined ? [] : [childFor(above, slug, node)];
    });
    await ctx.nodes.add(above, children, above.parent ? 'list-first' : 'list-last', { by });
    if (above.status === 'leaf') await ctx.nodes.change(above, { status: 'expanded', leafReason: null }, { by });
  }
}

function childFor(above: TreeNode, slug: string, proposal: Proposal): Child {
  const known = above.children.find((each) => each.slug === slug);
  const { id: nodeId, title: given, plannedAction, proposedAt } = proposal;
  const title = known?.title ?? (oneLine(given, 1000) || 'Untitled');
  const own: OwnFields = {
    nodeId,
    round: roundOf(nodeId),
    plannedAction,
    proposedAt,
    ...(given !== title && { title: given }),
  };
  // Committed before this was repeated: it stays as it is.
  const isCommitted = (known?.file?.own as Partial<OwnFields> | undefined)?.state !== undefined;
  return { slug, title, ...(!isCommitted && { fields: { own } }) };
}

/** Older servers let a node be proposed again below another one: the first proposal is then taken back. */
async function withdrawElsewhere(ctx: SearchContext, id: string, above: TreeNode, by: string): Promise<void> {
  const before = leadsIn(ctx.tree).filter(
    ({ node, own }) => own.nodeId === id && own.state === undefined && node.parent !== above && !isPruned(node),
  );
  for (const { node } of before)
    await ctx.nodes.change(
      node,
      { status: 'pruned', prunedBy: 'constraint', why: 'It was proposed elsewhere.' },
      { by },
    );
}

async function applyResults(
  ctx: SearchContext,
  results: readonly AcceptedResult[],
  commit: number,
  by: string,
): Promise<void> {
  const leads = leadsIn(ctx.tree);
  const before = leads.filter(({ own }) => own.state !== undefined && own.commit !== commit).length;
  for (const [i, { id, state, findings, agentId, isVerified }] of results.entries()) {
    const lead = leadOf(ctx, id);
    if (!lead) continue; // a person removed it
    const more = { ...(agentId && { agentId }), ...(isVerified && { isVerified }) };
    await settle(ctx, lead, { state, order: before + i, commit, ...more }, by, findings);
  }
}

const LEAF = { status: 'leaf', leafReason: 'model' } as const;

/** Gives a node its state, and the status that goes with it; with findings, its document first. */
async function settle(
  ctx: SearchContext,
  lead: Lead,
  fields: Partial<OwnFields> & { state: State },
  by: string,
  findings?: string,
): Promise<void> {
  const { node } = lead;
  const { state } = fields;
  const own = { ...lead.own, ...fields } as NonNullable<NodeData['own']>;
  const id = lead.own.nodeId;
  const summary = summaryOf(state, findings ?? (node.summary ?? '').replace(/^[A-Z]+: /, ''));
  const document = findings === undefined ? undefined : findingsDocument({ id, title: titleOf(lead), state, findings });
  // A lead without children is a leaf, as its empty list says; it grows with the first one.
  const { length } = node.children;
  const ends = length > 0 ? ({ status: 'expanded', leafReason: null } as const) : LEAF;
  await ctx.nodes.change(node, { ...ends, summary, own }, { by, document });
}
