import { placesIn } from '../../../../core/citations/line-references.ts';
import type { Message } from '../../../../core/messages/message.ts';
import type { Lookup } from '../../../../core/ports/lookup.ts';
import { isPruned } from '../../../../core/tree/tree.ts';
import { documentLink, hasDocument, placeOf, webAddress } from '../../../../engine/report/link-target.ts';
import type { Places } from '../../../../engine/report/places.ts';
import { linksToLines } from '../../../../engine/report/refer.ts';
import { plainLine, safeInline } from '../../../../engine/report/safe-markdown.ts';
import * as say from '../../messages.ts';
import { referencesIn } from '../../protocol/references.ts';
import { readFindings } from '../../run/findings.ts';
import type { Outcome } from '../../run/own-fields.ts';
import type { Lead } from '../../run/read-investigation.ts';
import { titleOf } from '../../run/read-investigation.ts';
import type { Claim } from '../claims.ts';
import { checkOf, isCheck, isOpen, type LedSearch, rootLeadOf } from '../led-investigation.ts';
import type { Told } from './told.ts';

type Show = (message: Message) => string;

const LONGEST_CLAIM = 500;
const LONGEST_TITLE = 200;
/** The most places that are shown for one finding. */
const MOST_PLACES = 3;
const MOST_SOURCES = 100;
const MOST_OPEN = 20;

/** Lists the findings, each in a sentence with its evidence, by the verdicts of their checks. */
export function claimSections(told: Told, places: Places, show: Show): string[] {
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
export function quotedSection(ctx: LedSearch, { known }: Told, lookup: Lookup | undefined): string[] {
  const quoted = known.filter(({ lead }) => lead.own.outcome === 'quoted');
  const lines = quoted.map(({ lead, summary }) => {
    const found = lookup?.places.find(({ title }) => title === lead.node.title);
    if (!found)
      return `- ${plainLine(titleOf(lead), LONGEST_TITLE)}: ${plainLine(summary, LONGEST_CLAIM)} · ${codeOf(lead)}`;
    const { says, place, link, code } = found;
    const name = plainLine(place, LONGEST_TITLE);
    const target = placeOf(ctx.tree, ctx.folder, '', link);
    const named = target && !target.node ? `[${name}](${target.link})` : name;
    const line = code === '' ? '' : `: ${plainLine(`\`${code.split('\n')[0]}\``, LONGEST_CLAIM)}`;
    return `- ${plainLine(says, LONGEST_CLAIM)} (${named})${line} · ${codeOf(lead)}`;
  });
  return section(ctx.show(say.quoted()), lines);
}

/** A finding, what its check says instead, the lines that bear it out, and in the margin whose it is. */
function claimLine({ text, cites, verdict, lead, check }: Claim, places: Places, show: Show): string {
  const { outcome = 'confirmed', text: said = '', cites: seen = [] } = verdict ?? {};
  const own = `${inline(text)}${evidence(cites, places)}`;
  const isRight = outcome === 'confirmed' || said === '';
  const right = `${inline(said)}${isRight ? '' : evidence(seen, places)}`;
  const WORDS = { 'in part': say.only, refuted: say.instead, 'not checked': say.cannotSee } as const;
  const correction = isRight ? '' : ` ${show(WORDS[outcome as keyof typeof WORDS]({ text: right }))}`;
  return `${own}${correction} · ${[lead, ...(check ? [check] : [])].map(codeOf).join(', ')}`;
}

function inline(text: string): string {
  return safeInline(text.slice(0, LONGEST_CLAIM).toWellFormed(), () => undefined);
}

function evidence(cites: readonly string[], places: Places): string {
  const links = linksToLines(cites, places).slice(0, MOST_PLACES);
  return links.length > 0 ? ` (${links.join(', ')})` : '';
}

function codeOf({ node, own }: Lead): string {
  return hasDocument(node) ? `[${own.nodeId}](${documentLink(node)})` : own.nodeId;
}

/** Lists what is still open: what documents name, and leads that nobody could settle. */
export function openSection({ known, untouched, moment, standing }: Told, places: Places, show: Show): string[] {
  if (moment.byRule) return [];
  const planned = (standing?.open ?? []).map((text) => `- ${inline(text)}${evidence([text], places)}`);
  // The last plan itself tells what is open in the documents that it has seen.
  const fresh = known.filter(({ lead }) => !standing || (lead.own.plans ?? 0) >= (rootLeadOf(moment)?.own.lists ?? 0));
  const named = fresh.flatMap(({ lead, open, summary }) => {
    const texts = open.length > 0 ? open : lead.own.state === 'EXPLORE' && lead.node.depth > 1 ? [summary] : [];
    return texts.map((text) => `- ${inline(text)}${evidence([text], places)} · ${codeOf(lead)}`);
  });
  const left = untouched.map((lead) => `- ${plainLine(titleOf(lead), LONGEST_TITLE)} · ${codeOf(lead)}`);
  return section(show(say.open()), [...new Set([...planned, ...left, ...named])].slice(0, MOST_OPEN));
}

/** All that was looked into, with what it came to, each below what it follows from. */
export function leadSection({ moment }: Told, show: Show): string[] {
  const { leads } = moment;
  const lines = leads
    .filter((lead) => !isCheck(lead))
    .map((lead) => {
      const { node, own } = lead;
      const title = plainLine(titleOf(lead), LONGEST_TITLE) || node.slug;
      const name = hasDocument(node) ? `[${title}](${documentLink(node)})` : title;
      const check = checkOf(moment, lead);
      const checked = check ? `; ${codeOf(check)}: ${show(resultOf(check, moment.byRule))}` : '';
      const depth = Math.max(0, node.depth - 1);
      return `${'  '.repeat(depth)}- ${own.nodeId} ${name}: ${show(resultOf(lead, moment.byRule))}${checked}`;
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
export async function sourceSection({ store, tree, history, show }: LedSearch, { claims }: Told): Promise<string[]> {
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
