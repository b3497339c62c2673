import type { MoveResult } from '../../../core/kind/strategy.ts';
import { noted } from '../../../core/messages/kept.ts';
import { isAnswer } from '../../../core/search/conversation.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { isPruned } from '../../../core/tree/tree.ts';
import { sessionOf } from '../../../engine/calls/node-session.ts';
import * as say from '../messages.ts';
import type { CommittedNode } from '../protocol/investigation.ts';
import { type ProposedNode, propose } from '../protocol/propose.ts';
import { ownFieldsOf } from '../run/own-fields.ts';
import { nextId } from './lead-ids.ts';
import { branchWords } from './lead-words.ts';
import { type AskedLeads, type CheckedLeads, checkLeads } from './leads-answer.ts';
import { committedOf, isTakenIn, type LedSearch, type Moment, momentOf, straysBelow } from './led-investigation.ts';
import { placeLeads } from './place-leads.ts';
import { adoptStrays, giveState } from './settle.ts';
import { lacksOf } from './steps.ts';

/** How many leads the second round has. */
const BREADTH = { least: 3, most: 5 } as const;

/** Proposes the leads below a node, and adds them; a node below which nothing is left to look into is a dead end. */
export async function branchLead(ctx: LedSearch, node: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  await ctx.nodes.lookBeforeWork(node, signal);
  const at = committedOf(momentOf(ctx), node);
  if (ctx.tree.get(node.id) !== node || isPruned(node) || !at) return { outcome: 'dropped' };
  return await ctx.nodes.work(node, signal, () => branch(ctx, node, at, signal));
}

async function branch(ctx: LedSearch, node: TreeNode, at: CommittedNode, signal: AbortSignal): Promise<MoveResult> {
  const { conversation, taken } = await conversationOf(ctx, node);
  const given = conversation.turns.filter((turn) => isAnswer(turn) && turn.purpose === 'propose-leads').length;
  if (given <= taken) await ctx.nodes.commit(node, signal, () => adoptStrays(ctx, node));
  const moment = momentOf(ctx);
  // Of this answer, a killed process may have added only some of the leads: the others are added now.
  const isKept = given > taken;
  const asked = askedFor(ctx, moment, node, at, isKept);
  if (!asked) {
    await ctx.nodes.commit(node, signal, () => grown(ctx, node, taken));
    return { outcome: 'done' };
  }
  ctx.history.note({ type: 'progress', ...noted(say.proposing({ id: at.id, title: at.title })) });
  const { value } = await ctx.asks.ask(
    {
      purpose: 'propose-leads',
      node,
      keep: { conversation, nth: taken },
      words: () => branchWords(ctx, moment, node, asked),
      check: (text) => (ctx.byRule ? leadsByRule(moment, node, asked, text) : checkLeads(moment, asked, text)),
    },
    signal,
  );
  const done = await ctx.nodes.commit(node, signal, () => grow(ctx, node, value, { lists: taken + 1, isKept }));
  return { outcome: done === 'gone' ? 'dropped' : 'done' };
}

/** The node's own conversation, which keeps the lists of leads; none of it is sent to a model. */
async function conversationOf(ctx: LedSearch, node: TreeNode) {
  const session = await sessionOf(ctx, node);
  if (node.sessionId !== session) await ctx.nodes.change(node, { sessionId: session });
  const conversation = (await ctx.store.readConversation(session)) ?? { id: session, title: node.title, turns: [] };
  const lists = conversation.turns.filter((turn) => isAnswer(turn) && turn.purpose === 'propose-leads').length;
  return { conversation, taken: Math.min(ownFieldsOf(node.file?.own)?.lists ?? 0, lists) };
}

/** What to ask for: as many leads as are lacking, more of them in the second round. Undefined if nothing is. */
function askedFor(
  ctx: LedSearch,
  moment: Moment,
  node: TreeNode,
  at: CommittedNode,
  isKept: boolean,
): AskedLeads | undefined {
  const lack = lacksOf(moment).find((each) => each.node.id === at.id);
  if (!lack && !isKept) return undefined;
  const isFirst = at.parent === null && (isKept || lack?.has === 0);
  const missing = lack ? lack.needs - lack.has : 0;
  const least = isKept ? 0 : isFirst && !ctx.byRule ? BREADTH.least : missing;
  const most = isKept ? BREADTH.most : isFirst ? BREADTH.most : missing;
  const taken = new Set<string>();
  const isTaken = isTakenIn(moment);
  const ids = Array.from({ length: most }, () => {
    const id = nextId(at.id, at.round, (each) => isTaken(each) || taken.has(each));
    taken.add(id);
    return id;
  });
  const { reopened } = ownFieldsOf(node.file?.own) ?? {};
  const mayEnd = at.parent !== null && at.children.length === 0 && straysBelow(node).length === 0 && !reopened;
  const existing = new Set(node.children.flatMap((child) => (ownFieldsOf(child.file?.own) ? child.title : [])));
  return { parent: at.id, least, most, ids, mayEnd, existing };
}

/** Where a rule finds too little, the lead ends; one that may not end is looked at once more as a whole. */
function leadsByRule(moment: Moment, node: TreeNode, asked: AskedLeads, text: string): CheckedLeads {
  const { mayEnd, least, ids, parent } = asked;
  const { leads, order, isEnd } = checkLeads(moment, { ...asked, least: 0, mayEnd: true }, text);
  if (leads.length >= least && !isEnd) return { leads, order, isEnd };
  if (mayEnd) return { leads: [], order: [], isEnd: true };
  const titles = Array.from({ length: asked.existing.size + least }, (_, n) => angleOf(node, n));
  const free = titles.filter((title) => !asked.existing.has(title)).slice(0, least - leads.length);
  const more = free.map((title, i): ProposedNode => {
    return { id: ids[leads.length + i] ?? '', parent, title, plannedAction: `Look at it again: ${title}.` };
  });
  return { leads: [...leads, ...more], order: [...order, ...titles], isEnd: false };
}

const ANGLES = ['what else there is', 'what speaks against it', 'what is near it', 'what it depends on', 'who uses it'];
const LONGEST_TITLE = 150;

function angleOf({ title }: TreeNode, n: number): string {
  const again = n < ANGLES.length ? '' : ` (${Math.floor(n / ANGLES.length) + 1})`;
  return `${title.slice(0, LONGEST_TITLE).toWellFormed()}: ${ANGLES[n % ANGLES.length]}${again}`;
}

async function grow(
  ctx: LedSearch,
  node: TreeNode,
  { leads, order, isEnd }: CheckedLeads,
  { lists, isKept }: { lists: number; isKept: boolean },
): Promise<void> {
  const own = ownFieldsOf(node.file?.own);
  if (!own) return;
  if (isEnd) {
    ctx.history.note({ type: 'progress', ...noted(say.nothingLeft({ id: own.nodeId })) });
    return await giveState(ctx, node, 'DEAD', { lists });
  }
  const [error] = propose(momentOf(ctx).at, leads, ctx.clock.now()).errors;
  if (error) throw new ThoughtTreeError('bad-answer', say.brokenRules({ why: `${error.message} ${error.suggestion}` }));
  // If the process dies before all of them exist, the next one knows that some are missing.
  if (leads.length > 0) {
    await ctx.nodes.change(node, { own: { ...own, isPlacing: true } as never });
    await placeLeads(ctx, node, leads, isKept ? order : []);
  }
  await grown(ctx, node, lists);
}

/** Notes that all leads of that many lists exist. */
async function grown(ctx: LedSearch, node: TreeNode, lists: number): Promise<void> {
  const own = ownFieldsOf(node.file?.own);
  if (!own) return;
  const { isPlacing: _, ...rest } = own;
  const ends = node.children.length > 0 ? ({ status: 'expanded', leafReason: null } as const) : {};
  await ctx.nodes.change(node, { ...ends, failure: null, own: { ...rest, lists } as never });
}
