import { placesIn } from '../../../core/citations/line-references.ts';
import type { Message } from '../../../core/messages/message.ts';
import { type Lookup, lookupIn } from '../../../core/ports/workspace-text.ts';
import { answerFor } from '../../../core/search/conversation.ts';
import { countReceipts } from '../../../core/search/events.ts';
import { oneLine } from '../../../core/text/text.ts';
import { isPruned } from '../../../core/tree/tree.ts';
import { toolPrompt } from '../../../engine/tools.ts';
import { mendedReport } from '../../../engine-parts/citations/mark-document.ts';
import { type CitedFinding, linksToLines, Places, withReferences } from '../../../engine-parts/report/findings.ts';
import { documentLink, hasDocument, placeOf, webAddress } from '../../../engine-parts/report/link-target.ts';
import { type Finding, inShort } from '../../../engine-parts/report/report-lines.ts';
import { interimNotice } from '../../../engine-parts/report/report-writing.ts';
import { plainLine, safeInline } from '../../../engine-parts/report/safe-markdown.ts';
import {
  answerThatFits,
  type CleanAnswer,
  cleanAnswer,
  toolsForAnswer,
  writtenAnswer,
} from '../../../engine-parts/report/written-answer.ts';
import { notesFor, notesText } from '../../../engine-parts/transcripts/conversations.ts';
import * as say from '../messages.ts';
import { referencesIn } from '../protocol/evidence.ts';
import { type Outcome, receiptOf } from '../run/kept-data.ts';
import { type Lead, readFindings, titleOf } from '../run/read-investigation.ts';
import { whyNoAnswer } from '../run/report.ts';
import { type Claim, type Known, numberedAnswer, readKnown } from './claims.ts';
import {
  checkOf,
  isCheck,
  isOpen,
  type LedSearch,
  type Moment,
  momentOf,
  rootLeadOf,
  type Standing,
} from './led-investigation.ts';
import { verdictPrompt } from './prompts.ts';
import { shownLeads } from './questions.ts';

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
    ...(ctx.byRule ? [] : countsOf(told, show)),
    ...(file.prompt.trim() === file.title ? [] : [`> ${plainLine(file.prompt, LONGEST_QUESTION)}`]),
    ...(ctx.byRule ? quotedSection(ctx, told, await lookupOf(ctx, told)) : claimSections(told, places, show)),
    ...openSection(told, places, show),
    ...leadSection(told, show),
    ...(await sourceSection(ctx, told)),
    show(say.rounds({ count: Math.max(1, told.moment.leadRound), nodes: nodes.length })),
    ...(receipts && receipts.agent + receipts.unverified > 0 ? [show(say.receipts(receipts))] : []),
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

/** Returns the findings that decide, those that were confirmed first; what was refuted is none. */
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

/** The call for the verdict, at its largest: a page in any language. */
export const VERDICT_CALL = { purpose: 'synthesize', bytes: 72_000, maxOutputTokens: 4000 } as const;
const LONGEST_NOTES = 1000;
const MOST_UNTOUCHED = 20;

/**
 * Asks the model for the verdict: what is confirmed, refuted, contradicted and open, as one answer.
 * @throws ThoughtTreeError if another process now holds the search, or its files cannot be written
 */
async function askForVerdict(ctx: LedSearch, told: Told): Promise<CleanAnswer> {
  const { purpose, maxOutputTokens: wanted } = VERDICT_CALL;
  const tools = toolsForAnswer(ctx, VERDICT_CALL);
  const { known, claims, contradictions, untouched, standing } = told;
  const prompt = verdictPrompt({
    answer: numberedAnswer(standing?.answer ?? '', claims),
    ...shownLeads(known, ctx.modelFor(purpose)),
    contradictions: contradictions.map(([one, other]) => [claims.indexOf(one) + 1, claims.indexOf(other) + 1] as const),
    untouched: untouched
      .slice(0, MOST_UNTOUCHED)
      .map((lead) => ({ id: lead.own.nodeId, title: oneLine(titleOf(lead), 200) })),
    notes: oneLine(notesText(await notesFor(ctx, undefined)), LONGEST_NOTES),
    reads: tools !== undefined,
  });
  const words = {
    prompt: [prompt, ...(tools ? [toolPrompt(tools.toolbox.tools, tools.rounds)] : [])].join('\n\n'),
    data: { question: ctx.file.prompt },
    maxOutputTokens: answerThatFits(ctx.modelFor(purpose), wanted),
    ...(tools && { tools }),
  };
  return await writtenAnswer(ctx, { purpose, words, findings: claims.map(citedOf), link: () => undefined });
}

/** Returns the citations of a claim: of one that does not hold as it is, what its check read comes first. */
function citesOf({ cites, verdict }: Claim): readonly string[] {
  if (!verdict) return cites;
  return verdict.outcome === 'confirmed' ? [...cites, ...verdict.cites] : [...verdict.cites, ...cites];
}

function citedOf(claim: Claim): CitedFinding {
  return { text: claim.text, cites: citesOf(claim), node: claim.lead.node };
}

type Show = (message: Message) => string;

const LONGEST_CLAIM = 500;
const LONGEST_TITLE = 200;
/** The most places that are shown for one finding. */
const MOST_PLACES = 3;
const MOST_SOURCES = 100;
const MOST_OPEN = 20;

/** Returns the verdict in figures: how many findings hold, how many do not, and how many leads led nowhere. */
function countsOf({ claims, moment }: Told, show: Show): string[] {
  const of = (outcome: Outcome): number => claims.filter(({ verdict }) => verdict?.outcome === outcome).length;
  const nowhere = moment.leads.filter(({ own }) => own.outcome === 'nothing').length;
  const counts = [
    [of('confirmed'), say.countConfirmed],
    [of('in part'), say.countInPart],
    [of('refuted'), say.countRefuted],
    [claims.filter(({ verdict }) => !verdict || verdict.outcome === 'not checked').length, say.countUnchecked],
    [nowhere, say.countNowhere],
  ] as const;
  const said = counts.flatMap(([count, words]) => (count > 0 ? [show(words({ count }))] : []));
  return claims.length === 0 || said.length === 0 ? [] : [`**${said.join(', ')}.**`];
}

/** Lists the findings, each in a sentence with its evidence, by the verdicts of their checks. */
function claimSections(told: Told, places: Places, show: Show): string[] {
  const { claims, contradictions } = told;
  const outcomeOf = ({ verdict }: Claim): Outcome | undefined => verdict?.outcome;
  const some = (outcome: Outcome): Claim[] => claims.filter((claim) => outcomeOf(claim) === outcome);
  const rest = claims.filter((claim) => outcomeOf(claim) === undefined || outcomeOf(claim) === 'not checked');
  const isContradicted = new Set(contradictions.flat());
  const unchecked = rest.filter((claim) => !isContradicted.has(claim));
  const lines = (list: readonly Claim[]): string[] => list.map((claim) => `- ${claimLine(claim, places, show)}`);
  return [
    ...section(show(say.confirmed()), lines(some('confirmed').filter((claim) => !isContradicted.has(claim)))),
    ...section(show(say.inPart()), lines(some('in part').filter((claim) => !isContradicted.has(claim)))),
    ...section(show(say.refutedClaims()), lines(some('refuted'))),
    ...section(
      show(say.contradicted()),
      contradictions.map((pair) => pair.map((claim) => `- ${claimLine(claim, places, show)}`).join('\n  ')),
    ),
    ...section(show(say.unchecked()), lines(unchecked)),
  ];
}

/** Lists what was quoted, where a rule answers: each place in a sentence, with the line that decides. */
function quotedSection(ctx: LedSearch, { known }: Told, lookup: Lookup | undefined): string[] {
  const quoted = known.filter(({ lead }) => lead.own.outcome === 'quoted');
  const lines = quoted.map(({ lead, summary }) => {
    const found = lookup?.places.find(({ title }) => title === lead.node.title);
    if (!found)
      return `- ${plainLine(titleOf(lead), LONGEST_TITLE)}: ${plainLine(summary, LONGEST_CLAIM)}${margin([lead], ctx.show)}`;
    const { says, place, link, code } = found;
    const name = plainLine(place, LONGEST_TITLE);
    const target = placeOf(ctx.tree, ctx.folder, '', link);
    const named = target && !target.node ? `[${name}](${target.link})` : name;
    const line = code === '' ? '' : `: ${plainLine(`\`${code.split('\n')[0]}\``, LONGEST_CLAIM)}`;
    return `- ${plainLine(says, LONGEST_CLAIM)} (${named})${line}${margin([lead], ctx.show)}`;
  });
  return section(ctx.show(say.quoted()), lines);
}

/** Returns a finding, what its check says instead, the lines that bear it out, and in the margin whose it is. */
function claimLine({ text, cites, verdict, lead, check }: Claim, places: Places, show: Show): string {
  const { outcome = 'confirmed', text: said = '', cites: seen = [] } = verdict ?? {};
  const own = `${inline(text)}${evidence(cites, places)}`;
  const isRight = outcome === 'confirmed' || said === '';
  const right = `${inline(said)}${isRight ? '' : evidence(seen, places)}`;
  const WORDS = { 'in part': say.only, refuted: say.instead, 'not checked': say.cannotSee } as const;
  const correction = isRight ? '' : ` ${show(WORDS[outcome as keyof typeof WORDS]({ text: right }))}`;
  return `${own}${correction}${margin([lead, ...(check ? [check] : [])], show)}`;
}

function inline(text: string): string {
  return safeInline(text.slice(0, LONGEST_CLAIM).toWellFormed(), () => undefined);
}

function evidence(cites: readonly string[], places: Places): string {
  const links = linksToLines(cites, places).slice(0, MOST_PLACES);
  return links.length > 0 ? ` (${links.join(', ')})` : '';
}

/** Leads to the documents of a lead and its check, by words: their ids mean nothing to a reader. */
function margin(leads: readonly Lead[], show: Show): string {
  const links = leads.flatMap((lead) => {
    const word = show(isCheck(lead) ? say.checkWord() : say.leadWord());
    return hasDocument(lead.node) ? [`[${word}](${documentLink(lead.node)})`] : [];
  });
  return links.length === 0 ? '' : ` · ${links.join(', ')}`;
}

/** Lists what is still open: what documents name, and leads that nobody could settle. */
function openSection({ known, untouched, moment, standing }: Told, places: Places, show: Show): string[] {
  if (moment.byRule) return [];
  const planned = (standing?.open ?? []).map((text) => `- ${inline(text)}${evidence([text], places)}`);
  // The last plan itself tells what is open in the documents that it has seen.
  const fresh = known.filter(({ lead }) => !standing || (lead.own.plans ?? 0) >= (rootLeadOf(moment)?.own.lists ?? 0));
  const named = fresh.flatMap(({ lead, open, summary }) => {
    const texts = open.length > 0 ? open : lead.own.state === 'EXPLORE' && lead.node.depth > 1 ? [summary] : [];
    return texts.map((text) => `- ${inline(text)}${evidence([text], places)}${margin([lead], show)}`);
  });
  const left = untouched.map((lead) => `- ${plainLine(titleOf(lead), LONGEST_TITLE)}`);
  return section(show(say.open()), [...new Set([...planned, ...left, ...named])].slice(0, MOST_OPEN));
}

/** Returns all that was looked into, with what it came to, each below what it follows from. */
function leadSection({ moment }: Told, show: Show): string[] {
  const { leads } = moment;
  const lines = leads
    .filter((lead) => !isCheck(lead))
    .map((lead) => {
      const { node } = lead;
      const title = plainLine(titleOf(lead), LONGEST_TITLE) || node.slug;
      const name = hasDocument(node) ? `[${title}](${documentLink(node)})` : title;
      const check = checkOf(moment, lead);
      const result = check && show(resultOf(check, moment.byRule));
      const document =
        check && hasDocument(check.node)
          ? `[${show(say.checkWord())}](${documentLink(check.node)})`
          : show(say.checkWord());
      const checked = check ? `; ${document}: ${result}` : '';
      const depth = Math.max(0, node.depth - 1);
      return `${'  '.repeat(depth)}- ${name}: ${show(resultOf(lead, moment.byRule))}${checked}`;
    });
  return section(show(say.leads()), lines);
}

const RESULTS: Readonly<Record<Outcome, () => Message>> = {
  settled: say.outcomeSettled,
  open: say.outcomeOpen,
  nothing: say.outcomeNothing,
  quoted: say.outcomeQuoted,
  confirmed: say.outcomeConfirmed,
  'in part': say.outcomeInPart,
  refuted: say.outcomeRefuted,
  'not checked': say.outcomeNotChecked,
};

/** Returns the words for the result of a lead or a check; those from before say it by their states. */
function resultOf(lead: Lead, byRule: boolean): Message {
  const { node, own } = lead;
  if (isPruned(node)) return say.prunedLead();
  if (node.status === 'failed') return say.failedLead();
  if (own.state === undefined || isOpen(node)) return say.notLookedInto();
  if (own.outcome === 'nothing' && byRule) return say.outcomeNotQuoted();
  if (own.outcome) return RESULTS[own.outcome]();
  if (isCheck(lead)) return own.state === 'VERIFY' ? say.outcomeConfirmed() : say.outcomeRefuted();
  return { FOUND: say.outcomeSettled(), DEAD: say.outcomeNothing() }[own.state as string] ?? say.outcomeOpen();
}

/** Lists what was looked at: files that findings cite, and the references of documents. */
async function sourceSection({ store, tree, history, show }: LedSearch, { claims }: Told): Promise<string[]> {
  const findings = await readFindings(store, tree, history.past);
  const cited = claims.flatMap(({ cites }) => placesIn(cites.join('\n')).map(({ path }) => path));
  const files = cited.filter((path) => /^[\w.@/-]{1,200}$/.test(path));
  const all = [...new Set([...referencesIn([...findings.values()]), ...files])].slice(0, MOST_SOURCES);
  const lines = all.map((reference) => {
    const page = webAddress(reference);
    return page === undefined ? `- ${plainLine(reference, 300)}` : `- <${page}>`;
  });
  return section(show(say.sources()), lines);
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];
}

/** Everything that a report tells of an investigation. */
interface Told {
  readonly moment: Moment;
  readonly known: readonly Known[];
  /** The findings of all of them, in that order: their numbers are their places, from 1. */
  readonly claims: readonly Claim[];
  readonly standing: Standing | undefined;
  /** Findings that cannot both be true, of which none was refuted. */
  readonly contradictions: readonly (readonly [Claim, Claim])[];
  /** Leads that nobody looked into. */
  readonly untouched: readonly Lead[];
}

/** Reads what an investigation has found so far. */
async function readTold(ctx: LedSearch): Promise<Told> {
  const moment = momentOf(ctx);
  const known = await readKnown(ctx.store, moment);
  const claims = known.flatMap((each) => each.claims);
  const standing = rootLeadOf(moment)?.own.standing;
  const find = ({ node, claim }: Standing['contradictions'][number][number]): Claim | undefined =>
    claims.find(({ lead, place }) => lead.own.nodeId === node && place === claim);
  const contradictions = (standing?.contradictions ?? []).flatMap(([a, b]): (readonly [Claim, Claim])[] => {
    const [one, other] = [find(a), find(b)];
    return one && other && isStanding(one) && isStanding(other) ? [[one, other]] : [];
  });
  const untouched = moment.leads.filter(
    (lead) => lead.own.state === undefined && !isCheck(lead) && !isPruned(lead.node),
  );
  return { moment, known, claims, standing, contradictions, untouched };
}

function isStanding({ verdict }: Claim): boolean {
  return verdict?.outcome !== 'refuted';
}
