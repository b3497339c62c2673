import type { Model, QuoteRule, SubtopicsRule, Topic } from '../../../core/ports/model.ts';
import { canTry } from '../../../core/ports/workshop.ts';
import { utf8Length } from '../../../core/text/text.ts';
import { lineageOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { CountedTools, Prompt } from '../../../engine/question.ts';
import { TOOL_ROUNDS, toolPrompt } from '../../../engine/tools.ts';
import { folderOf } from '../../../engine-parts/citations/cite-document.ts';
import { workspaceContext } from '../../../engine-parts/citations/workspace-context.ts';
import { answerThatFits } from '../../../engine-parts/report/written-answer.ts';
import { notesFor, withNotes } from '../../../engine-parts/transcripts/conversations.ts';
import type { InvestigationPurpose } from '../descriptor.ts';
import type { Outcome } from '../run/kept-data.ts';
import { type Lead, titleOf } from '../run/read-investigation.ts';
import type { AskedLeads } from './answers.ts';
import { type Claim, type Known, knownOf, numberedAnswer, plainAnswer, readKnown } from './claims.ts';
import { isCheck, type LedSearch, type Moment, rootLeadOf } from './led-investigation.ts';
import { checkPrompt, leadPrompt, type Named, planPrompt, type ShownClaim, type ShownLead } from './prompts.ts';

/** The longest answer requested, in tokens. */
const MAX_OUTPUT_TOKENS = { findings: 8000, plan: 4000 } as const;
/** The most rounds of tools before a model has to answer, and the share of a search's calls that this may take. */
const ROUNDS = { root: 10, lead: TOOL_ROUNDS, check: TOOL_ROUNDS } as const;
const SHARE_OF_CALLS = { root: 0.2, lead: 0.1, check: 0.1 } as const;
/** The most of files that it may read before, in characters. */
const READS = { root: 100_000, lead: 60_000, check: 50_000 } as const;

/**
 * Returns the request to a fresh researcher of a lead. Nothing precedes it: all that the researcher learns from others
 * is in its text.
 */
export async function leadWords(ctx: LedSearch, moment: Moment, lead: Lead, signal: AbortSignal): Promise<Prompt> {
  const { node, own } = lead;
  const root = rootLeadOf(moment);
  const isRoot = root === undefined || root.node === node;
  const tools = toolsFor(ctx, 'investigate', isRoot ? 'root' : 'lead');
  const above = isRoot ? undefined : (moment.leads.find((each) => each.node === node.parent) ?? root);
  const text = leadPrompt({
    id: own.nodeId,
    title: titleOf(lead),
    round: own.round,
    lastRound: moment.lastRound,
    plannedAction: own.plannedAction,
    wrongIf: own.wrongIf ?? '',
    answer: plainAnswer(root?.own.standing?.answer ?? ''),
    above: above && shownLead(await knownOf(ctx.store, moment, above), 1),
    others: besides(moment, lead),
    reads: tools !== undefined || ctx.modelFor('investigate').worksByItself === true,
    tries: tools !== undefined && canTry(tools.toolbox),
  });
  return await documentWords(ctx, { node, purpose: 'investigate', text, tools, lineage: topicsTo(node), signal });
}

/** Returns the request to whoever checks what was found: the claims alone. */
export async function checkWords(
  ctx: LedSearch,
  { node }: Lead,
  claims: readonly Claim[],
  signal: AbortSignal,
): Promise<Prompt> {
  const purpose = 'verify-finding';
  const tools = toolsFor(ctx, purpose, 'check');
  const reads = tools !== undefined || ctx.modelFor(purpose).worksByItself === true;
  const shown = numbered(claims, 1).map((claim) => ({ ...claim, verdict: '' }));
  const title = claims[0]?.text ?? node.title;
  const lineage = [{ title, siblings: [title], index: 0 }];
  return await documentWords(ctx, {
    ...{ node, purpose, tools, lineage, signal },
    text: checkPrompt({ claims: shown, reads, tries: tools !== undefined && canTry(tools.toolbox) }),
  });
}

interface Asking {
  readonly node: TreeNode;
  readonly purpose: InvestigationPurpose;
  readonly text: string;
  readonly tools: CountedTools | undefined;
  readonly lineage: readonly Topic[];
  readonly signal: AbortSignal;
}

async function documentWords(ctx: LedSearch, asking: Asking): Promise<Prompt> {
  const { node, purpose, text, tools, lineage, signal } = asking;
  const question = ctx.file.prompt;
  const model = ctx.modelFor(purpose);
  // Whoever reads files needs no lines that were found by words, only how to cite.
  const reads = tools !== undefined || model.worksByItself === true;
  const grounding = { ...ctx, model, quotesContext: ctx.quotesContext && !reads };
  const context = await workspaceContext(grounding, { question, lineage }, [], signal);
  const notes = await notesFor(ctx, node);
  const noted = {
    ...(notes.length > 0 && { notes: notes.map(({ id }) => id) }),
    ...(context.quoted.length > 0 && { quoted: context.quoted }),
    ...(context.citing && { citing: true }),
  };
  const rule: QuoteRule = { by: 'quotations', folder: folderOf(ctx, node), lineage, grade: gradeFor(node) };
  const parts = [text, context.text, tools ? toolPrompt(tools.toolbox.tools, tools.rounds, tools.most) : ''];
  return {
    prompt: withNotes(parts.filter((part) => part !== '').join('\n\n'), notes),
    noted,
    data: { question, rule },
    maxOutputTokens: answerThatFits(model, MAX_OUTPUT_TOKENS.findings),
    ...(tools && { tools }),
  };
}

/**
 * Returns the tools of a question, with as many rounds as it may take of the search's calls; undefined where there are
 * none.
 */
function toolsFor(ctx: LedSearch, purpose: InvestigationPurpose, what: keyof typeof ROUNDS): CountedTools | undefined {
  const { tools } = ctx.asks;
  const model = ctx.modelFor(purpose);
  if (!tools || model.tools !== true) return undefined;
  const { calls = 1000 } = ctx.limits.now.guards;
  const rounds = Math.max(1, Math.min(ROUNDS[what], Math.floor(calls * SHARE_OF_CALLS[what])));
  return { toolbox: tools.toolbox, rounds, most: READS[what] };
}

/** Grades an answer that only quotes by whether it is about the question. The question itself is divided. */
function gradeFor({ depth }: TreeNode): NonNullable<QuoteRule['grade']> {
  const values = depth === 1 ? [{ value: 'open', least: 0 }] : QUOTED;
  return { field: 'result', values };
}

const QUOTED = [
  { value: 'quoted', least: 1 },
  { value: 'nothing', least: 0 },
] as const;

/** Returns the other leads of a round. */
function besides({ leads }: Moment, { node, own }: Lead): Named[] {
  const others = leads.filter(
    (each) => each.node !== node && each.own.round === own.round && !isCheck(each) && each.node.status !== 'pruned',
  );
  return others.map((each) => ({ id: each.own.nodeId, title: titleOf(each) }));
}

/** Returns the request for a plan. */
export async function planWords(ctx: LedSearch, moment: Moment, node: TreeNode, asked: AskedLeads): Promise<Prompt> {
  const known = await readKnown(ctx.store, moment);
  const claims = known.flatMap((each) => each.claims);
  const { standing } = rootLeadOf(moment)?.own ?? {};
  const { leads, further } = shownLeads(known, ctx.modelFor('propose-leads'));
  const failed = moment.leads.filter((each) => each.node.status === 'failed');
  const text = planPrompt({
    ...{ round: moment.nextRound, lastRound: moment.lastRound, minRounds: moment.minRounds },
    ...{ most: asked.most, left: asked.left, leads, further },
    answer: numberedAnswer(standing?.answer ?? '', claims),
    weakest: numberedAnswer(standing?.weakest ?? '', claims),
    failed: failed.map((each) => ({ id: each.own.nodeId, title: titleOf(each) })),
  });
  const question = ctx.file.prompt;
  const rule: SubtopicsRule = {
    by: 'passages',
    folder: ctx.folder,
    lineage: asked.below ? topicsTo(asked.below) : [],
    most: asked.most,
  };
  return {
    prompt: withNotes(text, await notesFor(ctx, node)),
    data: { question, rule },
    maxOutputTokens: answerThatFits(ctx.modelFor('propose-leads'), MAX_OUTPUT_TOKENS.plan),
  };
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

// Leads as prompts show them.

const RESULTS: Readonly<Record<string, string>> = {
  FOUND: 'settled',
  DEAD: 'leads nowhere',
  EXPLORE: 'open',
  EXHAUST: 'open',
};

/** Returns a lead with its findings. @param first the number of its first finding */
function shownLead({ lead, claims, open }: Known, first: number): ShownLead {
  const { nodeId: id, state = '' } = lead.own;
  return { id, title: titleOf(lead), result: RESULTS[state] ?? 'open', claims: numbered(claims, first), open };
}

/** The most of a prompt that leads may take, in bytes: in all, and for each token of a model whose context is known. */
const MOST_BYTES = 60_000;
const BYTES_A_TOKEN = 1;

/** Leads as far as there is room, each finding with its number among all of them; and how many more there are. */
export function shownLeads(
  known: readonly Known[],
  { contextTokens }: Pick<Model, 'contextTokens'>,
): { readonly leads: ShownLead[]; readonly further: number } {
  let room = Math.min(MOST_BYTES, contextTokens === undefined ? MOST_BYTES : contextTokens * BYTES_A_TOKEN);
  let first = 1;
  const leads = known.flatMap((each) => {
    const shown = shownLead(each, first);
    first += each.claims.length;
    const size = utf8Length(JSON.stringify(shown));
    if (size > room) return [];
    room -= size;
    return [shown];
  });
  return { leads, further: known.length - leads.length };
}

/** Findings with their numbers, and what became of them. */
function numbered(claims: readonly Claim[], first: number): ShownClaim[] {
  return claims.map((claim, at) => ({
    number: first + at,
    text: claim.text,
    cites: claim.cites,
    verdict: verdictWords(claim),
  }));
}

const VERDICTS: Readonly<Partial<Record<Outcome, string>>> = {
  confirmed: 'CONFIRMED',
  'in part': 'HOLDS IN PART',
  refuted: 'REFUTED',
  'not checked': 'could not be checked',
};

function verdictWords({ verdict }: Claim): string {
  if (!verdict) return 'not checked';
  const { outcome, text, cites } = verdict;
  const word = VERDICTS[outcome] ?? outcome;
  if (outcome === 'confirmed' || text === '') return word;
  return `${word}: ${text}${cites.length > 0 ? ` (${cites.join(', ')})` : ''}`;
}
