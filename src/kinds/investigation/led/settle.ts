import type { MoveResult } from '../../../core/kind/strategy.ts';
import { kept, noted } from '../../../core/messages/kept.ts';
import { foreign } from '../../../core/messages/message.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import { isPruned, type TreeNode } from '../../../core/tree/tree.ts';
import * as say from '../messages.ts';
import { type CommittedNode, childrenOf, roundOf } from '../protocol/investigation.ts';
import { profileOf, ruleOf, type State } from '../protocol/profiles.ts';
import { type ProposedNode, propose } from '../protocol/propose.ts';
import { reclassify } from '../protocol/reclassify.ts';
import { type OwnFields, ownFieldsOf } from '../run/own-fields.ts';
import { nextId, ROOT_ID } from './lead-ids.ts';
import { committedOf, isTakenIn, type LedSearch, momentOf, straysBelow } from './led-investigation.ts';
import { placeLeads } from './place-leads.ts';
import { branchToReopen, lacksOf } from './steps.ts';

const LONGEST_SUMMARY = 300;
/** How many checks of a finding may fail before it is given up. */
const MOST_FAILED_CHECKS = 2;

/**
 * What follows by rule, without a model: the root, a check below a finding, a last look below what is exhausted, a lead for
 * what a person added, and the consequences of failed checks and of an end that comes too early.
 */
export async function settle(ctx: LedSearch, node: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  if (node.parent) await ctx.nodes.lookBeforeWork(node, signal);
  if (ctx.tree.get(node.id) !== node || isPruned(node)) return { outcome: 'dropped' };
  const done = await ctx.nodes.commit(node, signal, () => settleNow(ctx, node));
  return { outcome: done === 'gone' ? 'dropped' : 'done' };
}

async function settleNow(ctx: LedSearch, node: TreeNode): Promise<void> {
  if (!node.parent) return await settleRoot(ctx);
  const moment = momentOf(ctx);
  const at = committedOf(moment, node);
  if (!at) return;
  const lack = lacksOf(moment).find((each) => each.node.id === at.id);
  if (lack && at.state !== profileOf(moment.at).open) return await settleLack(ctx, node, at, lack.isRefuted);
  if (straysBelow(node).length > 0) return await adoptStrays(ctx, node);
  if (branchToReopen(moment)?.id === at.id) await reopen(ctx, node, at);
}

async function settleRoot(ctx: LedSearch): Promise<void> {
  const { root } = ctx.tree;
  const { leads, byId } = momentOf(ctx);
  const title = oneLine(ctx.file.title, 200) || 'Untitled';
  const plannedAction = ctx.show(say.firstLead());
  if (leads.length === 0) return await placeLeads(ctx, root, [{ id: ROOT_ID, parent: null, title, plannedAction }]);
  const known = byId.get(ROOT_ID)?.node ?? root.children[0];
  if (!root.listed && known) await ctx.nodes.add(root, [{ slug: known.slug, title: known.title }], 'list-last');
  await adoptStrays(ctx, root);
}

/** A finding gets its check, and what is exhausted its last look; a finding that two checks refuted is a lead again. */
async function settleLack(ctx: LedSearch, node: TreeNode, at: CommittedNode, isRefuted: boolean): Promise<void> {
  const moment = momentOf(ctx);
  const profile = profileOf(moment.at);
  const { refutedBy } = ruleOf(profile, at.state);
  const failed = childrenOf(moment.at, at).filter(({ state }) => state === refutedBy).length;
  if (isRefuted && failed >= MOST_FAILED_CHECKS) {
    ctx.history.note({ type: 'progress', ...noted(say.checkFailed({ id: at.id })) });
    return await giveState(ctx, node, profile.open, { refuted: true });
  }
  const id = nextId(at.id, at.round, isTakenIn(moment));
  const isCheck = at.state === profile.solution;
  const again = failed > 0 ? ` (${failed + 1})` : '';
  const title = oneLine(isCheck ? `Check${again}: ${at.title}` : `A last look: ${at.title}`, 200);
  const plannedAction = isCheck
    ? 'Check independently whether it holds.'
    : 'Look at what is left, and say what was looked at.';
  await placeLeads(ctx, node, [{ id, parent: at.id, title, plannedAction }]);
  await ctx.nodes.change(node, { status: 'expanded', leafReason: null });
}

/** Makes leads of what a person added below a node. What the protocol does not allow there fails, saying why. */
export async function adoptStrays(ctx: LedSearch, node: TreeNode): Promise<void> {
  for (const stray of straysBelow(node)) {
    const moment = momentOf(ctx);
    const above = committedOf(moment, node);
    const id = above ? nextId(above.id, above.round, isTakenIn(moment)) : ROOT_ID;
    const lead: ProposedNode = { id, parent: above?.id ?? null, title: stray.title, plannedAction: stray.title };
    const [error] = propose(moment.at, [lead], ctx.clock.now()).errors;
    if (error) {
      const why = kept(foreign({ text: `${error.message} ${error.suggestion}` }));
      await ctx.nodes.change(stray, { status: 'failed', failure: { reason: 'bad-input', ...why } });
      continue;
    }
    const own: OwnFields = { nodeId: id, round: roundOf(id), plannedAction: stray.title, proposedAt: ctx.clock.now() };
    await ctx.nodes.change(stray, { own: own as never });
  }
}

/**
 * Gives a committed node another state, as an agent's reclassification does.
 * @throws ThoughtTreeError `bad-input` if the protocol refuses it
 */
export async function giveState(ctx: LedSearch, node: TreeNode, state: State, more: Partial<OwnFields>): Promise<void> {
  const own = ownFieldsOf(node.file?.own);
  if (!own) return;
  const [error] = reclassify(momentOf(ctx).at, own.nodeId, state).errors;
  if (error) throw new ThoughtTreeError('bad-input', foreign({ text: `${error.message} ${error.suggestion}` }));
  const said = (node.summary ?? '').replace(/^[A-Z]+: /, '');
  const summary = oneLine(`${state}: ${said}`, LONGEST_SUMMARY);
  await ctx.nodes.change(node, { summary, own: { ...own, ...more, state } as never });
}

async function reopen(ctx: LedSearch, node: TreeNode, at: CommittedNode): Promise<void> {
  const { minRounds: rounds, profile } = momentOf(ctx).at;
  ctx.history.note({ type: 'progress', ...noted(say.openedAgain({ rounds, id: at.id })) });
  await giveState(ctx, node, profileOf({ profile }).open, { reopened: true });
}
