import type { ReadStore } from '../../../core/ports/store.ts';
import { oneLine } from '../../../core/text/text.ts';
import { pathOf } from '../../../core/tree/tree.ts';
import { type Finding, findingsTakenFrom, foundIn, frontAndBody } from '../../../engine/report/findings.ts';
import type { OwnFields } from '../run/own-fields.ts';
import type { Lead } from '../run/read-investigation.ts';
import { checkOf, isCheck, type Moment } from './led-investigation.ts';
import { type Verdict, verdictsIn } from './verdicts.ts';

/** The most findings of one lead that are claims: the others stay in its document. */
const MOST_CLAIMS = 12;

/** A finding of a lead, and what became of it. */
export interface Claim extends Finding {
  readonly lead: Lead;
  /** Its number among those of its lead, from 1. */
  readonly place: number;
  /** The verdict of its check; undefined if nobody checked it. */
  readonly verdict: Verdict | undefined;
  readonly check: Lead | undefined;
}

/** The facts that are known of a lead that was looked into. */
export interface Known {
  readonly lead: Lead;
  /** In a sentence. */
  readonly summary: string;
  readonly claims: readonly Claim[];
  /** The questions that its document leaves open. */
  readonly open: readonly string[];
}

/**
 * Returns a lead document's claims: its findings, or else its sentences that name lines; at least what it is about.
 * @param own of a lead that is open, no more than it names; of one that was quoted, its line that decides
 */
function claimsIn(document: string, summary: string, { outcome, state }: OwnFields): Finding[] {
  const { data, body } = frontAndBody(document);
  const { findings } = foundIn(data);
  const isOpen = state === 'EXPLORE' || state === 'EXHAUST';
  if (findings.length === 0 && isOpen) return [];
  const found = findings.length > 0 || outcome === 'quoted' ? findings : findingsTakenFrom(body);
  return found.length > 0 ? found.slice(0, MOST_CLAIMS) : [{ text: summary, cites: [] }];
}

/** Everything that is known of the leads of an investigation, in the order of the tree: what is looked into again is not. */
export async function readKnown(store: Pick<ReadStore, 'readDocument'>, moment: Moment): Promise<Known[]> {
  const leads = [...moment.byId.values()].filter((lead) => isDocumented(lead) && !isCheck(lead));
  return await Promise.all(leads.map((lead) => knownOf(store, moment, lead)));
}

export async function knownOf(
  store: Pick<ReadStore, 'readDocument'>,
  moment: Pick<Moment, 'leads'>,
  lead: Lead,
): Promise<Known> {
  const summary = summaryOf(lead);
  const document = (await store.readDocument(pathOf(lead.node))) ?? '';
  const found = checkOf(moment, lead);
  const check = found && isDocumented(found) ? found : undefined;
  const claims = claimsIn(document, summary, lead.own);
  const verdicts = check && verdictsIn((await store.readDocument(pathOf(check.node))) ?? '', claims.length, check.own);
  return {
    lead,
    summary,
    claims: claims.map((claim, at) => ({ ...claim, lead, place: at + 1, verdict: verdicts?.[at], check })),
    open: foundIn(frontAndBody(document).data).open,
  };
}

/** Tells whether the result of a lead, or a check, can be read: not while it is done again, nor if that failed. */
function isDocumented({ node, own }: Lead): boolean {
  return own.state !== undefined && node.document !== undefined;
}

/** Returns what was found, in a sentence, without the state that stands before it. */
function summaryOf({ node }: Lead): string {
  return oneLine((node.summary ?? '').replace(/^[A-Z]+: /, ''), 400) || node.title;
}
