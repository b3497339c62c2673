import { type Lookup, lookupIn } from '../../../../core/ports/lookup.ts';
import { answerFor } from '../../../../core/search/conversation.ts';
import { countReceipts } from '../../../../core/search/receipt.ts';
import { mendedReport } from '../../../../engine/grounding/mended-text.ts';
import { cleanAnswer } from '../../../../engine/report/clean-answer.ts';
import { type Finding, inShort } from '../../../../engine/report/in-short.ts';
import { interimNotice } from '../../../../engine/report/interim.ts';
import { Places } from '../../../../engine/report/places.ts';
import { withReferences } from '../../../../engine/report/refer.ts';
import { plainLine } from '../../../../engine/report/safe-markdown.ts';
import * as say from '../../messages.ts';
import { receiptOf } from '../../receipts.ts';
import { whyNoAnswer } from '../../run/report.ts';
import { numberedAnswer } from '../citing.ts';
import type { Claim, Known } from '../claims.ts';
import { type LedSearch, rootLeadOf } from '../led-investigation.ts';
import { claimSections, leadSection, openSection, quotedSection, sourceSection } from './sections.ts';
import { readTold, type Told } from './told.ts';
import { askForVerdict, citesOf } from './verdict.ts';

const LONGEST_LINE = 300;
const LONGEST_QUESTION = 2000;

/** Writes the report: the verdict first, then each finding with what became of it. At most one call to the model. */
export async function writeVerdictReport(ctx: LedSearch): Promise<void> {
  const { file, store, show, history } = ctx;
  const told = await readTold(ctx);
  const opening = await openingOf(ctx, told);
  const cites = told.claims.flatMap((claim) => [...citesOf(claim)]);
  const places = await Places.lookUp(ctx, [
    ...cites,
    ...(told.standing?.open ?? []),
    ...told.known.flatMap(({ open }) => open),
  ]);
  const nodes = told.moment.leads.filter(({ own }) => own.state !== undefined).map(({ node }) => node);
  const receipts = countReceipts(nodes.flatMap((node) => receiptOf(node, history.past) ?? []));
  const parts = [
    `# ${plainLine(file.title, LONGEST_LINE)}`,
    ...interimNotice(ctx),
    ...opening,
    ...(file.prompt.trim() === file.title ? [] : [`> ${plainLine(file.prompt, LONGEST_QUESTION)}`]),
    ...(ctx.byRule ? quotedSection(ctx, told, await lookupOf(ctx, told)) : claimSections(told, places, show)),
    ...openSection(told, places, show),
    ...leadSection(told, show),
    ...(await sourceSection(ctx, told)),
    show(say.rounds({ count: Math.max(1, told.moment.leadRound), nodes: nodes.length })),
    ...(receipts ? [show(say.receipts(receipts))] : []),
  ];
  await store.writeReport(`${parts.join('\n\n')}\n`);
}

async function openingOf(ctx: LedSearch, told: Told): Promise<string[]> {
  const { show } = ctx;
  const isQuoted = told.known.some(({ lead }) => lead.own.outcome === 'quoted');
  if (ctx.byRule && isQuoted) return [`_${show(say.onlyQuoted())}_`];
  if (ctx.byRule || told.claims.length === 0)
    return [show(ctx.closing.isInterim ? say.noAnswerYet() : (whyNoAnswer(ctx) ?? say.noAnswer()))];
  if (ctx.model.prose === false || ctx.closing.isSilent) return await provisional(ctx, told);
  const verdict = await askForVerdict(ctx, told);
  if ('text' in verdict) return [verdict.text];
  return [...(await provisional(ctx, told)), `_${show(say.findingsOnly({ why: verdict.why }))}_`];
}

/** Answers without the call for a verdict: by the answer of the last plan, or else by what was confirmed. */
async function provisional(ctx: LedSearch, { standing, claims, known }: Told): Promise<string[]> {
  const { show } = ctx;
  const answer = numberedAnswer(standing?.answer ?? '', claims);
  if (answer !== '') {
    const text = await mendedReport(ctx.workspaceText, answer);
    const findings = claims.map((claim) => ({ ...claim, cites: citesOf(claim), node: claim.lead.node }));
    const places = await Places.lookUp(ctx, [text, ...findings.flatMap(({ cites }) => cites)]);
    const link = (target: string): string | undefined => (places.has(target) ? target : undefined);
    const clean = cleanAnswer(text, link, (body) => withReferences(body, findings, places));
    if ('text' in clean) return [`_${show(say.answerSoFar())}_`, clean.text];
  }
  return inShort(best(known), show);
}

/** The findings that decide, those that were confirmed first; what was refuted is none. */
function best(known: readonly Known[]): Finding[] {
  const claims = known.flatMap((each) =>
    each.claims.filter(({ verdict }) => verdict?.outcome !== 'refuted').slice(0, 1),
  );
  const isConfirmed = ({ verdict }: Claim): boolean => verdict?.outcome === 'confirmed';
  return claims
    .toSorted((a, b) => Number(isConfirmed(b)) - Number(isConfirmed(a)))
    .map(({ lead, text }) => ({ node: lead.node, title: lead.node.title, summary: text }));
}

/** Reads how the question was looked up. */
async function lookupOf({ store }: LedSearch, { moment }: Told): Promise<Lookup | undefined> {
  const session = rootLeadOf(moment)?.node.sessionId;
  const conversation = session === undefined ? undefined : await store.readConversation(session);
  const answer = conversation && answerFor(conversation, 'propose-leads');
  return answer && lookupIn(answer.text);
}
