import { marksOf, type NodeMarks } from '../../../core/citations/citation-marks.ts';
import type { MoveResult } from '../../../core/kind/strategy.ts';
import { noted } from '../../../core/messages/message.ts';
import type { Conversation } from '../../../core/search/conversation.ts';
import { parseDocument, writeDocument } from '../../../core/text/document.ts';
import { oneLine } from '../../../core/text/text.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { citedDocument, standingMarks } from '../../../engine-parts/citations/cite-document.ts';
import { sessionOf } from '../../../engine-parts/transcripts/conversations.ts';
import * as say from '../messages.ts';
import { KnownCalls, type OwnFields, ownFieldsOf, receiptFor } from '../run/kept-data.ts';
import type { Lead } from '../run/read-investigation.ts';
import { findingsIn, withTried } from '../run/read-investigation.ts';
import { type CheckedFindings, checkLead, checkVerdict } from './answers.ts';
import { type Claim, knownOf } from './claims.ts';
import {
  committedOf,
  isCheck,
  isOpen,
  type LedSearch,
  type Moment,
  momentOf,
  rootLeadOf,
} from './led-investigation.ts';
import { checkWords, leadWords } from './questions.ts';

/** One lead that is looked into, or checked. */
interface Looking {
  readonly ctx: LedSearch;
  readonly moment: Moment;
  readonly lead: Lead;
  /** The claims to check; undefined for a lead. */
  readonly claims: readonly Claim[] | undefined;
  readonly signal: AbortSignal;
}

const LONGEST_SUMMARY = 300;

/**
 * Looks into a lead, or checks one, in a conversation that continues from no other, and commits what was found. The answer is
 * kept first, then written to files, so that one that was paid for is never asked for again.
 */
export async function investigateLead(ctx: LedSearch, node: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  await ctx.nodes.lookBeforeWork(node, signal);
  const own = ownFieldsOf(node.file?.own);
  if (ctx.tree.get(node.id) !== node || !isOpen(node) || !own) return { outcome: 'dropped' };
  const moment = momentOf(ctx);
  const lead = { node, own };
  const above = isCheck(lead) && node.parent ? moment.leads.find((each) => each.node === node.parent) : undefined;
  const claims = above && (await knownOf(ctx.store, moment, above)).claims;
  const what = { id: above?.own.nodeId ?? own.nodeId, title: above?.node.title ?? node.title };
  ctx.history.note({ type: 'progress', ...noted(above ? say.checking(what) : say.lookingInto(what)) });
  return await ctx.nodes.work(node, signal, () => look({ ctx, moment, lead, claims, signal }));
}

async function look(looking: Looking): Promise<MoveResult> {
  const { ctx, claims, signal } = looking;
  const { node } = looking.lead;
  const purpose = claims ? 'verify-finding' : 'investigate';
  const session = await sessionOf(ctx, node);
  const written = await ctx.store.readDocument(pathOf(node));
  await ctx.nodes.change(node, { status: 'in-progress', sessionId: session, model: ctx.modelFor(purpose).name });
  const conversation = (await ctx.store.readConversation(session)) ?? { id: session, title: node.title, turns: [] };
  const isAnswered = conversation.turns.some(({ role, purpose: asked }) => role === 'assistant' && asked === purpose);
  const isByPerson = written !== undefined && written.trim() !== '' && !isAnswered;
  const { findings, receipt } = isByPerson
    ? { findings: personsFindings(looking, written), receipt: undefined }
    : await ask(looking, conversation);
  if (!(await ctx.nodes.wanted(node))) return { outcome: 'dropped' };
  let marks: NodeMarks;
  if (written === undefined || written.trim() === '') {
    const cited = await citedDocument(ctx, node, findings.document);
    if (!(await ctx.nodes.wanted(node))) return { outcome: 'dropped' };
    await ctx.nodes.change(node, {}, { document: cited.text });
    marks = marksOf(cited.citations);
  } else marks = await standingMarks(ctx, node, written, !isByPerson);
  const done = await ctx.nodes.commit(node, signal, () => commitFindings(looking, findings, receipt, marks));
  return { outcome: done === 'gone' ? 'dropped' : 'done' };
}

async function ask(
  { ctx, moment, lead, claims, signal }: Looking,
  conversation: Conversation,
): Promise<{ findings: CheckedFindings; receipt: OwnFields['receipt'] }> {
  const { node } = lead;
  const given = await ctx.asks.ask(
    {
      purpose: claims ? 'verify-finding' : 'investigate',
      node,
      keep: { conversation },
      words: () => (claims ? checkWords(ctx, lead, claims, signal) : leadWords(ctx, moment, lead, signal)),
      check: (text) => (claims ? checkVerdict(node, text, claims.length) : checkLead(node, text)),
    },
    signal,
  );
  const receipt = receiptFor(given.conversation, given.text, ctx.history.past.part(KnownCalls), ctx.store);
  const document = withTried(given.value.document, given.conversation, given.text);
  return { findings: { ...given.value, document }, receipt };
}

/** Takes a person's text as the findings; the outcome is what they say, or else the most open that is possible. */
function personsFindings({ lead: { node }, claims }: Looking, text: string): CheckedFindings {
  const read = (all: string): CheckedFindings =>
    claims ? checkVerdict(node, all, claims.length) : checkLead(node, all);
  try {
    return read(text);
  } catch {
    const body = findingsIn(text) || text;
    const said = claims ? { verdict: 'not checked' } : { result: 'open' };
    return read(writeDocument({ ...dataIn(text), ...said }, body));
  }
}

function dataIn(text: string): Record<string, unknown> {
  try {
    return parseDocument(text).data;
  } catch {
    return {}; // a person's front matter need not be valid
  }
}

/** The node's state and what goes with it. */
async function commitFindings(
  { ctx, lead: { node, own } }: Looking,
  { document, outcome, state, findings, isIncomplete }: CheckedFindings,
  receipt: OwnFields['receipt'],
  marks: NodeMarks,
): Promise<void> {
  const moment = momentOf(ctx);
  const { receipt: _r, findings: _f, isIncomplete: _i, ...rest } = ownFieldsOf(node.file?.own) ?? own;
  const plans = rootLeadOf(moment)?.own.lists ?? 0;
  const next = {
    ...rest,
    ...{ state, outcome, plans, commit: commitOf(moment, node) },
    ...(findings > 0 && { findings }),
    ...(isIncomplete && { isIncomplete }),
    ...(receipt && { receipt }),
  };
  const summary = oneLine(`${state}: ${document.summary}`, LONGEST_SUMMARY);
  const ends =
    node.children.length > 0
      ? ({ status: 'expanded', leafReason: null } as const)
      : ({ status: 'leaf', leafReason: 'model' } as const);
  await ctx.nodes.change(node, { ...ends, summary, ...marks, failure: null, own: next });
}

/**
 * The number of a node's commit: one more than that of the node it follows from, and than those of its own children. So it says
 * what was known before, whichever slot was faster, and a check of what was found before is older.
 */
function commitOf(moment: Moment, node: TreeNode): number {
  const above = node.parent && committedOf(moment, node.parent);
  const below = node.children.flatMap((child) => committedOf(moment, child)?.commit ?? []);
  return 1 + Math.max(above?.commit ?? 0, ...below);
}
