import { marksOf, type NodeMarks } from '../../../core/citations/citation-marks.ts';
import type { MoveResult } from '../../../core/kind/strategy.ts';
import { noted } from '../../../core/messages/kept.ts';
import { foreign } from '../../../core/messages/message.ts';
import type { Conversation } from '../../../core/search/conversation.ts';
import { parseDocument, writeDocument } from '../../../core/text/document.ts';
import { oneLine } from '../../../core/text/text.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { sessionOf } from '../../../engine/calls/node-session.ts';
import { betterCited, canCite, citedDocument, standingMarks } from '../../../engine/grounding/cite-document.ts';
import * as say from '../messages.ts';
import { profileOf } from '../protocol/profiles.ts';
import { KnownCalls, receiptFor } from '../receipts.ts';
import { findingsIn } from '../run/findings.ts';
import { type OwnFields, ownFieldsOf } from '../run/own-fields.ts';
import { type CheckedFindings, checkFindings, statesFor } from './findings-answer.ts';
import { leadWords } from './lead-words.ts';
import { committedOf, isOpen, type LedSearch, type Moment, momentOf } from './led-investigation.ts';
import { checkedBy } from './steps.ts';

/** One lead that is looked into. */
interface Looking {
  readonly ctx: LedSearch;
  readonly moment: Moment;
  readonly node: TreeNode;
  readonly own: OwnFields;
  readonly signal: AbortSignal;
}

const LONGEST_SUMMARY = 300;

/**
 * Looks into a lead, in a conversation that continues from no other, and commits what was found. The answer is kept first,
 * then written to files, so that one that was paid for is never asked for again.
 */
export async function investigateLead(ctx: LedSearch, node: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  await ctx.nodes.lookBeforeWork(node, signal);
  const own = ownFieldsOf(node.file?.own);
  if (ctx.tree.get(node.id) !== node || !isOpen(node) || !own) return { outcome: 'dropped' };
  const looking: Looking = { ctx, moment: momentOf(ctx), node, own, signal };
  const found = checkedBy(looking.moment, node);
  const what = { id: found?.id ?? own.nodeId, title: found?.title ?? node.title };
  ctx.history.note({ type: 'progress', ...noted(found ? say.checking(what) : say.lookingInto(what)) });
  return await ctx.nodes.work(node, signal, () => look(looking, found ? 'verify-finding' : 'investigate'));
}

async function look(looking: Looking, purpose: 'investigate' | 'verify-finding'): Promise<MoveResult> {
  const { ctx, node, signal } = looking;
  const session = await sessionOf(ctx, node);
  const written = await ctx.store.readDocument(pathOf(node));
  await ctx.nodes.change(node, { status: 'in-progress', sessionId: session, model: ctx.modelFor(purpose).name });
  const conversation = (await ctx.store.readConversation(session)) ?? { id: session, title: node.title, turns: [] };
  const isAnswered = conversation.turns.some(({ role, purpose: asked }) => role === 'assistant' && asked === purpose);
  const isByPerson = written !== undefined && written.trim() !== '' && !isAnswered;
  const { findings, receipt } = isByPerson
    ? { findings: personsFindings(looking, written), receipt: undefined }
    : await ask(looking, purpose, conversation);
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
  { ctx, moment, node, own, signal }: Looking,
  purpose: 'investigate' | 'verify-finding',
  conversation: Conversation,
): Promise<{ findings: CheckedFindings; receipt: OwnFields['receipt'] }> {
  const check = (text: string): CheckedFindings => checkFindings(moment, node, own, text);
  const given = await ctx.asks.ask(
    {
      purpose,
      node,
      keep: { conversation },
      words: () => leadWords(ctx, moment, node, own, signal),
      check,
      better: canCite(ctx)
        ? async ({ document }) => {
            const better = await betterCited(ctx, document);
            return better && { ...better, isBetter: (second) => better.isBetter(second.document) };
          }
        : undefined,
    },
    signal,
  );
  const receipt = receiptFor(given.conversation, given.text, ctx.history.past.part(KnownCalls), ctx.store);
  return { findings: given.value, receipt };
}

/** What a person wrote is what was found; its state is the one that they gave, or the most open one that is possible. */
function personsFindings({ moment, node, own }: Looking, text: string): CheckedFindings {
  try {
    return checkFindings(moment, node, own, text);
  } catch {
    const [state = profileOf(moment.at).open] = statesFor(moment, node, own);
    const body = findingsIn(text) || text;
    const references = /^## References$/im.test(body) ? '' : '\n\n## References\n\n- this document';
    return checkFindings(moment, node, own, writeDocument({ ...dataIn(text), state }, `${body}${references}`));
  }
}

function dataIn(text: string): Record<string, unknown> {
  try {
    return parseDocument(text).data;
  } catch {
    return {}; // a person's front matter need not be valid
  }
}

/** The node's state and what goes with it; the protocol decides again, as a person may have changed what is around it. */
async function commitFindings(
  { ctx, node, own }: Looking,
  { document }: CheckedFindings,
  receipt: OwnFields['receipt'],
  marks: NodeMarks,
): Promise<void> {
  const moment = momentOf(ctx);
  const { state, warnings } = checkFindings(moment, node, own, document.text);
  for (const warning of warnings) ctx.history.note({ type: 'progress', ...noted(foreign({ text: warning })) });
  const { receipt: _, ...rest } = ownFieldsOf(node.file?.own) ?? own;
  const next = { ...rest, state, commit: commitOf(moment, node), ...(receipt && { receipt }) };
  const summary = oneLine(`${state}: ${document.summary}`, LONGEST_SUMMARY);
  const ends =
    node.children.length > 0
      ? ({ status: 'expanded', leafReason: null } as const)
      : ({ status: 'leaf', leafReason: 'model' } as const);
  await ctx.nodes.change(node, { ...ends, summary, ...marks, failure: null, own: next as NonNullable<typeof rest> });
}

/**
 * The number of a node's commit: one more than that of the node it follows from, and than those of earlier checks of the same
 * finding. So it says what was known before, whichever slot was faster.
 */
function commitOf(moment: Moment, node: TreeNode): number {
  const above = node.parent && committedOf(moment, node.parent);
  if (!above) return 1;
  const id = ownFieldsOf(node.file?.own)?.nodeId;
  const isCheck = checkedBy(moment, node) !== undefined;
  const before = isCheck
    ? above.children.flatMap((child) => (child === id ? [] : (moment.at.nodes.get(child) ?? [])))
    : [];
  return 1 + Math.max(above.commit, ...before.map(({ commit }) => commit));
}
