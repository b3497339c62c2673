import type { MoveResult } from '../../../core/kind/strategy.ts';
import { noted } from '../../../core/messages/message.ts';
import { isAnswer } from '../../../core/search/conversation.ts';
import { expansionsOf } from '../../../core/search/limits.ts';
import { oneLine } from '../../../core/text/text.ts';
import { childSlug } from '../../../core/tree/slug.ts';
import { isPruned, pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { Child } from '../../../engine/nodes.ts';
import { sessionOf } from '../../../engine-parts/transcripts/conversations.ts';
import * as say from '../messages.ts';
import { roundOf } from '../protocol/investigation.ts';
import { type OwnFields, ownFieldsOf } from '../run/kept-data.ts';
import { type AskedLeads, type CheckedPlan, checkPlan, type PlannedLead } from './answers.ts';
import { readKnown } from './claims.ts';
import {
  isTakenIn,
  type LedSearch,
  type Moment,
  momentOf,
  nextId,
  ROOT_ID,
  rootLeadOf,
  straysBelow,
} from './led-investigation.ts';
import { roomForLeads, unchecked } from './led-strategy.ts';
import { planWords } from './questions.ts';

/**
 * Plans what comes next, for all leads together: where the answer stands, and the leads of the next round, which may be none.
 * Plans are kept in the conversation of the question itself.
 */
export async function planLeads(ctx: LedSearch, node: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  await ctx.nodes.lookBeforeWork(node, signal);
  if (ctx.tree.get(node.id) !== node || isPruned(node) || rootLeadOf(momentOf(ctx))?.node !== node)
    return { outcome: 'dropped' };
  return await ctx.nodes.work(node, signal, () => plan(ctx, node, signal));
}

async function plan(ctx: LedSearch, node: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  const { conversation, taken } = await conversationOf(ctx, node);
  const given = conversation.turns.filter((turn) => isAnswer(turn) && turn.purpose === 'propose-leads').length;
  const moment = momentOf(ctx);
  // Of a kept answer, a killed process may have added only some of the leads: the others are added now.
  const asked = askedFor(ctx, moment, given > taken);
  const claims = (await readKnown(ctx.store, moment)).flatMap((known) => known.claims);
  ctx.history.note({ type: 'progress', ...noted(say.planning({ round: moment.nextRound })) });
  const { value } = await ctx.asks.ask(
    {
      purpose: 'propose-leads',
      node,
      keep: { conversation, nth: taken },
      words: () => planWords(ctx, moment, node, asked),
      check: (text) => (ctx.byRule ? planByRule(moment, asked, text) : checkPlan(moment, asked, claims, text)),
    },
    signal,
  );
  const done = await ctx.nodes.commit(node, signal, () => carryOut(ctx, node, value, taken + 1));
  return { outcome: done === 'gone' ? 'dropped' : 'done' };
}

/** The conversation that keeps the plans, of which none is sent to a model, and how many of them were carried out. */
async function conversationOf(ctx: LedSearch, node: TreeNode) {
  const session = await sessionOf(ctx, node);
  if (node.sessionId !== session) await ctx.nodes.change(node, { sessionId: session });
  const conversation = (await ctx.store.readConversation(session)) ?? { id: session, title: node.title, turns: [] };
  const plans = conversation.turns.filter((turn) => isAnswer(turn) && turn.purpose === 'propose-leads').length;
  return { conversation, taken: Math.min(ownFieldsOf(node.file?.own)?.lists ?? 0, plans) };
}

function askedFor(ctx: LedSearch, moment: Moment, isKept: boolean): AskedLeads {
  const { leadRound, minRounds, byRule } = moment;
  const left = expansionsOf(ctx.limits.now.size) - ctx.tree.finished;
  const most = Math.max(1, roomForLeads(left, byRule));
  return { least: !isKept && leadRound < minRounds ? 1 : 0, most, left: Math.max(0, left), below: belowFor(moment) };
}

/** Returns where a rule looks for leads, once it has looked below the question: at what was quoted last. */
function belowFor({ leads, leadRound }: Moment): TreeNode | undefined {
  const last = leads.filter(({ own, node }) => own.round === leadRound && node.depth > 1 && !isPruned(node));
  return (last.find(({ own }) => own.state === 'FOUND') ?? last[0])?.node;
}

/** Where a rule finds too little for the rounds that a person wants, it looks once more at what there is. */
function planByRule(moment: Moment, asked: AskedLeads, text: string): CheckedPlan {
  const found = checkPlan(moment, { ...asked, least: 0 }, [], text);
  const from = rootLeadOf(moment);
  if (found.leads.length >= asked.least || !from) return found;
  const known = new Set(moment.leads.map(({ node }) => node.title));
  const titles = Array.from({ length: known.size + 1 }, (_, n) => angleOf(asked.below ?? from.node, n));
  const more = titles.filter((title) => !known.has(title)).slice(0, asked.least);
  const leads = more.map((title): PlannedLead => {
    return { from, title, plannedAction: `Look at it again: ${title}.`, wrongIf: '' };
  });
  return { ...found, leads };
}

const ANGLES = ['what else there is', 'what speaks against it', 'what is near it', 'what it depends on', 'who uses it'];
const LONGEST_TITLE = 150;

function angleOf({ title }: TreeNode, n: number): string {
  const again = n < ANGLES.length ? '' : ` (${Math.floor(n / ANGLES.length) + 1})`;
  return `${title.slice(0, LONGEST_TITLE).toWellFormed()}: ${ANGLES[n % ANGLES.length]}${again}`;
}

async function carryOut(
  ctx: LedSearch,
  node: TreeNode,
  { leads, standing }: CheckedPlan,
  lists: number,
): Promise<void> {
  const own = ownFieldsOf(node.file?.own);
  if (!own) return;
  if (leads.length > 0) {
    // If the process dies before all of them exist, the next one knows that some are missing; also where the power fails.
    await ctx.nodes.change(node, { own: { ...own, isPlacing: true } });
    await ctx.history.flush();
    await placeAll(ctx, leads);
  } else if (!own.isPlacing) ctx.history.note({ type: 'progress', ...noted(say.enough()) });
  const { isPlacing: _, ...rest }: OwnFields = ownFieldsOf(node.file?.own) ?? own;
  const ends = node.children.length > 0 ? ({ status: 'expanded', leafReason: null } as const) : {};
  await ctx.nodes.change(node, { ...ends, failure: null, own: { ...rest, lists, standing } });
}

/** Adds the leads of a plan below what they follow from, with ids in their order. */
async function placeAll(ctx: LedSearch, leads: readonly PlannedLead[]): Promise<void> {
  const moment = momentOf(ctx);
  const isTaken = isTakenIn(moment);
  const given: string[] = [];
  const suffix = (id: string): string => id.slice(id.indexOf('.'));
  const named = leads.map(({ from, title, plannedAction, wrongIf }) => {
    const isFree = (id: string): boolean => !isTaken(id) && !given.some((each) => suffix(each) === suffix(id));
    const id = nextId(from.own.nodeId, moment.nextRound, (each) => !isFree(each));
    given.push(id);
    const lead: NewLead = { id, title, role: 'lead', plannedAction, wrongIf };
    return { above: from.node, lead };
  });
  for (const [above, all] of Map.groupBy(named, (each) => each.above)) {
    const { status } = above;
    await placeLeads(
      ctx,
      above,
      all.map(({ lead }) => lead),
    );
    if (status === 'leaf') await ctx.nodes.change(above, { status: 'expanded', leafReason: null });
  }
}

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
    await ctx.nodes.change(stray, { own });
  }
}

/** The longest name of a lead's folder, cut anywhere, before searches said it of all their nodes. */
const LONGEST_NAME = 40;

/** A lead, or a check, that is to be added. */
type NewLead = Pick<OwnFields, 'plannedAction' | 'wrongIf'> & {
  readonly id: string;
  readonly title: string;
  readonly role: 'lead' | 'check';
};

/**
 * Adds leads below a node. A child of the same title that nothing made a lead yet (a kill left it, or a person added it) is
 * that lead; so is its folder, where the loss of power left no title in it.
 */
async function placeLeads(ctx: LedSearch, above: TreeNode, leads: readonly NewLead[]): Promise<void> {
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
