import * as z from 'zod';
import type { ReadStore } from '../../../core/ports/store.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import { pathOf } from '../../../core/tree/tree.ts';
import {
  type Finding,
  findingsTakenFrom,
  foundIn,
  frontAndBody,
  NUMBERS,
  numbersIn,
} from '../../../engine-parts/report/findings.ts';
import { noVerdicts } from '../messages.ts';
import type { Outcome, OwnFields } from '../run/kept-data.ts';
import { type Lead, withoutState } from '../run/read-investigation.ts';
import { checkOf, isCheck, type Moment } from './led-investigation.ts';

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
  return oneLine(withoutState(node), 400) || node.title;
}

const VERDICTS = ['confirmed', 'in part', 'refuted', 'not checked'] as const satisfies readonly Outcome[];
/** The outcomes that a check may have for a claim. */
export type Verdicts = (typeof VERDICTS)[number];

/** A check's verdict on one claim. */
interface Verdict {
  readonly outcome: Verdicts;
  /** The reason that decides it, or what is right instead, in a sentence; may be empty. */
  readonly text: string;
  readonly cites: readonly string[];
}

const LONGEST = 400;
const Said = z.looseObject({
  claim: z.union([z.number(), z.string()]).optional(),
  verdict: z.string(),
  text: z.unknown().optional(),
  cites: z.unknown().optional(),
});
const NOT_CHECKED: Verdict = { outcome: 'not checked', text: '', cites: [] };

/**
 * The verdicts of a check's document, claim by claim.
 * @param own what is kept of the check: where it has a single verdict, its outcome, or its state if it is from before
 */
export function verdictsIn(document: string, claims: number, own: Pick<OwnFields, 'state' | 'outcome'>): Verdict[] {
  const { data } = frontAndBody(document);
  const said = saidIn(data, claims);
  if (said.size === 0) {
    const fromState = own.state === 'VERIFY' ? 'confirmed' : own.state === 'DEAD' ? 'refuted' : 'not checked';
    const outcome = VERDICTS.find((each) => each === own.outcome) ?? fromState;
    const text = typeof data['summary'] === 'string' ? oneLine(data['summary'], LONGEST) : '';
    return Array.from({ length: claims }, () => ({ outcome, text, cites: [] }));
  }
  return Array.from({ length: claims }, (_, at) => said.get(at + 1) ?? NOT_CHECKED);
}

/**
 * Returns the outcome of a check as a whole, by its answer.
 * @throws ThoughtTreeError `bad-answer` if it has no verdict, in words for the model
 */
export function outcomeOfCheck(data: Readonly<Record<string, unknown>>, claims: number): Verdicts {
  const said = saidIn(data, claims);
  const whole = verdictOf(String(data['verdict'] ?? data['state'] ?? ''));
  if (said.size === 0 && whole === undefined) throw new ThoughtTreeError('bad-answer', noVerdicts());
  if (said.size === 0) return whole as Verdicts;
  const first = said.get(1)?.outcome ?? 'not checked';
  const isWhole = [...said.values()].every(({ outcome }) => outcome === 'confirmed') && said.size >= claims;
  return first === 'confirmed' && !isWhole ? 'in part' : first;
}

/** The verdicts of front matter by the numbers of the claims; one without a number is about the next claim. */
function saidIn(data: Readonly<Record<string, unknown>>, claims: number): Map<number, Verdict> {
  const list = Array.isArray(data['findings']) ? data['findings'] : [];
  const said = new Map<number, Verdict>();
  for (const [at, each] of list.entries()) {
    const parsed = Said.safeParse(each).data;
    const outcome = parsed && verdictOf(parsed.verdict);
    if (!outcome) continue;
    const number = Number(/\d+/.exec(String(parsed.claim ?? at + 1))?.[0]);
    if (number < 1 || number > claims || said.has(number)) continue;
    const [finding] = foundIn({ findings: [{ text: parsed.text, cites: parsed.cites }] }).findings;
    said.set(number, { outcome, text: finding?.text ?? '', cites: finding?.cites ?? [] });
  }
  return said;
}

/** Reads a model's words for a verdict. Only a text that begins with one confirms: a denial may stand before it. */
function verdictOf(said: string): Verdicts | undefined {
  const word = said.trim().toLowerCase();
  if (DENIED.test(word)) return 'refuted';
  if (/^(?:not|un|cannot|could)/.test(word)) return 'not checked';
  if (/part|condition|only/.test(word)) return 'in part';
  if (/refut|false|wrong|dead/.test(word)) return 'refuted';
  return /^(?:confirm|verif|hold|true)/.test(word) ? 'confirmed' : undefined;
}

const DENIED = /(?:not|n['’]t|no longer) (?:hold|true|correct)|incorrect|untrue|disprove|disconfirm/;

// Findings have numbers in prompts only: an answer that is kept cites them by their leads, as later ones have other numbers.

/** `[R2.A1#2]`, as it is kept. */
const KEPT = /\[(R\d{1,4}\.\w{1,90}#\d{1,3}(?:, R\d{1,4}\.\w{1,90}#\d{1,3}){0,129})\]/g;
/** A number in code marks is not that of a finding. */
const CODE = /(`[^`\n]{1,300}`)/;

/** Returns an answer as it is kept. @param claims by number, from 1 */
export function keptAnswer(answer: string, claims: readonly Claim[]): string {
  const parts = answer.split(CODE);
  return parts.map((part, at) => (at % 2 === 1 ? part : keptNumbers(part, claims))).join('');
}

function keptNumbers(text: string, claims: readonly Claim[]): string {
  return text.replace(NUMBERS, (_, inside: string) => {
    const named = numbersIn(inside).flatMap((number) => claims[number - 1] ?? []);
    return bracketed(named.map(({ lead, place }) => `${lead.own.nodeId}#${place}`));
  });
}

/** A kept answer with the numbers that findings have now; without those of leads that are gone. */
export function numberedAnswer(answer: string, claims: readonly Claim[]): string {
  return answer.replace(KEPT, (_, inside: string) => {
    const numbers = inside.split(', ').flatMap((each) => {
      const [id, place] = each.split('#');
      const at = claims.findIndex((claim) => claim.lead.own.nodeId === id && claim.place === Number(place));
      return at < 0 ? [] : [String(at + 1)];
    });
    return bracketed(numbers);
  });
}

/** A kept answer for somebody who sees none of its findings. */
export function plainAnswer(answer: string): string {
  return answer.replace(KEPT, '').replace(/ {1,9}(?=[.,;:)])/g, '');
}

function bracketed(names: readonly string[]): string {
  return names.length === 0 ? '' : `[${names.join(', ')}]`;
}
