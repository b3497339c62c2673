import type { QuoteRule, SubtopicsRule, Topic } from '../../../core/ports/prompt-data.ts';
import { lineageOf, pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { notesFor, withNotes } from '../../../engine/calls/notes.ts';
import type { Words } from '../../../engine/calls/question.ts';
import { workspaceContext } from '../../../engine/grounding/workspace-context.ts';
import type { CommittedNode } from '../protocol/investigation.ts';
import { findingsIn } from '../run/findings.ts';
import { type OwnFields, ownFieldsOf } from '../run/own-fields.ts';
import { titleOf } from '../run/read-investigation.ts';
import { statesFor } from './findings-answer.ts';
import type { AskedLeads } from './leads-answer.ts';
import { committedOf, type LedSearch, type Moment } from './led-investigation.ts';
import { branchPrompt, checkPrompt, leadPrompt, type Named } from './prompts.ts';
import { checkedBy } from './steps.ts';

/** The longest answer requested, in tokens. */
const MAX_OUTPUT_TOKENS = { findings: 8000, leads: 3000 } as const;
/** The most of a document that others are shown, in characters. */
const LONGEST_FINDINGS = 20_000;
const MOST_LINES = 120;
const LONGEST_LINE = 200;

/** The request to a fresh researcher of a lead. Nothing precedes it: all that the researcher learns from others is in its text. */
export async function leadWords(
  ctx: LedSearch,
  moment: Moment,
  node: TreeNode,
  own: OwnFields,
  signal: AbortSignal,
): Promise<Words> {
  const found = checkedBy(moment, node);
  const purpose = found ? 'verify-finding' : 'investigate';
  const text = found ? checkText(moment, found) : await leadText(ctx, moment, node, own);
  const question = ctx.file.prompt;
  const lineage = found ? [lonely(found.title)] : topicsTo(node);
  const context = await workspaceContext(ctx, { question, lineage }, [], signal);
  const notes = await notesFor(ctx, node);
  const noted = {
    ...(notes.length > 0 && { notes: notes.map(({ id }) => id) }),
    ...(context.quoted.length > 0 && { quoted: context.quoted }),
    ...(context.citing && { citing: true }),
  };
  const folder = [ctx.folder, pathOf(node)].filter((part) => part !== '').join('/');
  const rule: QuoteRule = { by: 'quotations', folder, lineage, grade: gradeFor(moment, node, own) };
  return {
    prompt: withNotes(context.text ? `${text}\n\n${context.text}` : text, notes),
    noted,
    data: { question, rule },
    maxOutputTokens: MAX_OUTPUT_TOKENS.findings,
    mayUseTools: ctx.modelFor(purpose).tools === true && ctx.asks.tools !== undefined,
  };
}

/** How a model that only quotes says how far it got: by the number of places that it found. */
function gradeFor(moment: Moment, node: TreeNode, own: OwnFields): NonNullable<QuoteRule['grade']> {
  const states = statesFor(moment, node, own);
  const by = { VERIFY: 1, FOUND: 2, EXPLORE: 1, EXHAUST: 1, DEAD: 0 } as Readonly<Record<string, number>>;
  const values = Object.keys(by).filter((state) => (states as string[]).includes(state));
  return { field: 'state', values: values.map((value) => ({ value, least: by[value] ?? 0 })) };
}

/** What a check is given: the claim alone. */
function checkText({ byId }: Moment, found: CommittedNode): string {
  const lead = byId.get(found.id);
  const claim = (lead?.node.summary ?? '').replace(/^[A-Z]+: /, '') || found.title;
  return checkPrompt({ found, claim });
}

async function leadText(ctx: LedSearch, moment: Moment, node: TreeNode, own: OwnFields): Promise<string> {
  const { at } = moment;
  const above = node.parent && committedOf(moment, node.parent);
  const path = lineageOf(node).slice(0, -1).flatMap(nameOf);
  const others = (node.parent?.children ?? []).filter((each) => each !== node).flatMap(nameOf);
  return leadPrompt({
    id: own.nodeId,
    title: titleOf({ node, own }),
    plannedAction: own.plannedAction,
    round: own.round,
    minRounds: at.minRounds,
    path,
    above: above && node.parent ? await findingsOf(ctx, node.parent) : undefined,
    others,
    states: statesFor(moment, node, own),
  });
}

/** The request for leads below a node. */
export async function branchWords(ctx: LedSearch, moment: Moment, node: TreeNode, asked: AskedLeads): Promise<Words> {
  const at = committedOf(moment, node) as CommittedNode;
  const { least, most, ids, mayEnd } = asked;
  const text = branchPrompt({
    id: at.id,
    title: at.title,
    round: at.round,
    least,
    most,
    ids,
    mayEnd,
    findings: await findingsOf(ctx, node),
    outline: outlineUpTo(moment, at.round),
    existing: node.children.flatMap(nameOf),
  });
  const question = ctx.file.prompt;
  const rule: SubtopicsRule = {
    by: 'passages',
    folder: ctx.folder,
    lineage: node.depth === 1 ? [] : topicsTo(node),
    most,
  };
  return {
    prompt: withNotes(text, await notesFor(ctx, node)),
    data: { question, rule },
    maxOutputTokens: MAX_OUTPUT_TOKENS.leads,
  };
}

/** What was looked into up to a round; what others do at the same time is left out, as it depends on who is faster. */
function outlineUpTo({ at, byId }: Moment, round: number): string[] {
  const known = [...at.nodes.values()].filter((node) => node.round <= round);
  return known.slice(-MOST_LINES).map(({ id, title }) => {
    const said = byId.get(id)?.node.summary ?? '';
    return `- ${id} "${title}": ${said}`.slice(0, LONGEST_LINE).toWellFormed();
  });
}

/** The findings of a node as its document says them now, also if a person edited it. */
async function findingsOf({ store, model }: LedSearch, node: TreeNode): Promise<string> {
  const document = await store.readDocument(pathOf(node));
  if (document === undefined) return '';
  const most = Math.min(LONGEST_FINDINGS, model.contextTokens ?? LONGEST_FINDINGS);
  const text = findingsIn(document);
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}\n[…]`;
}

function nameOf(node: TreeNode): Named[] {
  const own = ownFieldsOf(node.file?.own);
  return own ? [{ id: own.nodeId, title: titleOf({ node, own }) }] : [];
}

/** The topics down to a node, below the root lead, which is the question itself. */
function topicsTo(node: TreeNode): Topic[] {
  const nodes = lineageOf(node);
  return (nodes.length > 1 ? nodes.slice(1) : nodes).map((each) => ({
    title: each.title,
    siblings: (each.parent?.children ?? []).map((sibling) => sibling.title),
    index: each.index,
  }));
}

function lonely(title: string): Topic {
  return { title, siblings: [title], index: 0 };
}
