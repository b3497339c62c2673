import type { MoveResult } from '../../../core/kind/strategy.ts';
import { oneLine } from '../../../core/text/text.ts';
import { isPruned, type TreeNode } from '../../../core/tree/tree.ts';
import * as say from '../messages.ts';
import { type OwnFields, ownFieldsOf } from '../run/own-fields.ts';
import { nextId, ROOT_ID } from './lead-ids.ts';
import { isTakenIn, type LedSearch, momentOf, straysBelow } from './led-investigation.ts';
import { placeLeads } from './place-leads.ts';
import { unchecked } from './steps.ts';

/** Adds what follows by rule, without a model: the root, a check of findings, a lead for what a person added. */
export async function settle(ctx: LedSearch, node: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  if (node.parent) await ctx.nodes.lookBeforeWork(node, signal);
  if (ctx.tree.get(node.id) !== node || isPruned(node)) return { outcome: 'dropped' };
  const done = await ctx.nodes.commit(node, signal, () => settleNow(ctx, node));
  return { outcome: done === 'gone' ? 'dropped' : 'done' };
}

async function settleNow(ctx: LedSearch, node: TreeNode): Promise<void> {
  if (!node.parent) return await settleRoot(ctx);
  const moment = momentOf(ctx);
  const lead = unchecked(moment).find((each) => each.node === node);
  // Its check comes first: a kill may have left the folder of one.
  if (!lead) return await adoptStrays(ctx, node);
  const { nodeId } = lead.own;
  const id = nextId(nodeId, moment.nextRound, isTakenIn(moment));
  const title = oneLine(`Check: ${node.title}`, 200);
  const plannedAction = 'Try to refute what was found.';
  await placeLeads(ctx, node, [{ id, title, plannedAction, role: 'check' }]);
  await ctx.nodes.change(node, { status: 'expanded', leafReason: null });
}

async function settleRoot(ctx: LedSearch): Promise<void> {
  const { root } = ctx.tree;
  const { leads, byId } = momentOf(ctx);
  const title = oneLine(ctx.file.title, 200) || 'Untitled';
  const plannedAction = ctx.show(say.firstLead());
  if (leads.length === 0) return await placeLeads(ctx, root, [{ id: ROOT_ID, title, plannedAction, role: 'lead' }]);
  const known = byId.get(ROOT_ID)?.node ?? root.children[0];
  if (!root.listed && known) await ctx.nodes.add(root, [{ slug: known.slug, title: known.title }], 'list-last');
  await adoptStrays(ctx, root);
}

/** Makes leads of what a person added below a node. */
async function adoptStrays(ctx: LedSearch, node: TreeNode): Promise<void> {
  const above = ownFieldsOf(node.file?.own);
  for (const stray of straysBelow(node)) {
    const moment = momentOf(ctx);
    const isFirst = moment.leads.length === 0;
    // A check may be of a later round than the leads.
    const round = isFirst ? 1 : Math.max(moment.nextRound, (above?.round ?? 0) + 1);
    const nodeId = isFirst ? ROOT_ID : nextId(above?.nodeId ?? ROOT_ID, round, isTakenIn(moment));
    const own: OwnFields = {
      nodeId,
      round,
      role: 'lead',
      plannedAction: stray.title,
      proposedAt: ctx.clock.now(),
    };
    await ctx.nodes.change(stray, { own: own as never });
  }
}
