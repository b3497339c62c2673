import * as z from 'zod';
import { lookupIn } from '../../../core/ports/workspace-text.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { type CheckedDocument, checkDocument } from '../../../core/text/document.ts';
import { dataIn } from '../../../core/text/model-output.ts';
import { oneLine } from '../../../core/text/text.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { foundIn } from '../../../engine-parts/report/findings.ts';
import { noResult, tooFewLeads, wrongLeads } from '../messages.ts';
import type { State } from '../protocol/profiles.ts';
import type { Outcome } from '../run/kept-data.ts';
import type { Lead } from '../run/read-investigation.ts';
import { type Claim, keptAnswer, outcomeOfCheck, plainAnswer } from './claims.ts';
import { isCheck, type Moment, rootLeadOf, type Standing } from './led-investigation.ts';

/** The result of a lead or a check: the document, and the state that the protocol has for it. */
export interface CheckedFindings {
  readonly document: CheckedDocument;
  readonly outcome: Outcome;
  readonly state: State;
  /** The number of findings that it names. */
  readonly findings: number;
  readonly isIncomplete: boolean;
}

const STATES: Readonly<Record<Outcome, State>> = {
  settled: 'FOUND',
  quoted: 'FOUND',
  open: 'EXPLORE',
  nothing: 'DEAD',
  confirmed: 'VERIFY',
  'in part': 'VERIFY',
  refuted: 'DEAD',
  'not checked': 'EXPLORE',
};

/** The outcomes of a lead, by the words that models use for them, also those of earlier prompts. */
const RESULTS: readonly (readonly [RegExp, Outcome])[] = [
  [/^(?:quoted)/, 'quoted'],
  [/^(?:open|explore|exhaust|unsettled|undecided)/, 'open'],
  [/^(?:nothing|dead|none)/, 'nothing'],
  [/^(?:settled|found|verif|done)/, 'settled'],
];

/**
 * Reads a model's answer about a lead.
 * @throws ThoughtTreeError `bad-answer` saying what is wrong and how to put it right, in words for the model
 */
export function checkLead(node: TreeNode, text: string): CheckedFindings {
  const document = checkDocument(text, node.title);
  const { findings, open } = foundIn(document.data);
  const outcome = resultIn(document.data) ?? (open.length > 0 ? 'open' : findings.length > 0 ? 'settled' : undefined);
  if (!outcome) throw new ThoughtTreeError('bad-answer', noResult());
  // The question itself leads somewhere.
  const kept = outcome === 'nothing' && node.depth === 1 ? 'open' : outcome;
  return { document, outcome: kept, state: STATES[kept], findings: findings.length, isIncomplete: open.length > 0 };
}

/**
 * Reads a model's answer to a check.
 * @throws ThoughtTreeError `bad-answer` saying what is wrong and how to put it right, in words for the model
 */
export function checkVerdict(node: TreeNode, text: string, claims: number): CheckedFindings {
  const document = checkDocument(text, node.title);
  const outcome = outcomeOfCheck(document.data, claims);
  return { document, outcome, state: STATES[outcome], findings: 0, isIncomplete: false };
}

function resultIn(data: Readonly<Record<string, unknown>>): Outcome | undefined {
  const said = String(data['result'] ?? data['state'] ?? '')
    .trim()
    .toLowerCase();
  return RESULTS.find(([pattern]) => pattern.test(said))?.[1];
}

const LONGEST_TITLE = 200;
const LONGEST_ACTION = 2000;
const LONGEST_ANSWER = 4000;
const LONGEST_WEAKEST = 600;
const MOST_CONTRADICTIONS = 20;
const LONGEST_OPEN = 400;
const MOST_OPEN = 8;

const text = z.string().max(20_000);
const number = z.union([z.number(), z.string().max(20)]);
const PlannedLeads = z
  .array(
    z.looseObject({
      title: z.union([text, z.number()]).nullish(),
      from: z.string().max(100).nullish(),
      plannedAction: text.nullish(),
      wrongIf: text.nullish(),
      /** The quotes model's name for it. */
      why: text.nullish(),
    }),
  )
  .max(200);
const Plan = z.union([
  z.looseObject({
    answer: text.nullish(),
    weakest: text.nullish(),
    open: z.array(z.unknown()).max(200).nullish().catch(undefined),
    contradictions: z.array(z.array(number).max(10)).max(200).nullish().catch(undefined),
    leads: PlannedLeads.nullish(),
  }),
  PlannedLeads.transform((leads) => ({ leads, answer: '', weakest: '', open: [], contradictions: [] })),
]);

/** The number of leads that were asked for. */
export interface AskedLeads {
  readonly least: number;
  readonly most: number;
  /** The number of nodes that may still be worked on. */
  readonly left: number;
  /** Where a rule looks for leads; undefined: below the question. */
  readonly below: TreeNode | undefined;
}

/** A lead of a plan. */
export interface PlannedLead {
  readonly from: Lead;
  readonly title: string;
  readonly plannedAction: string;
  readonly wrongIf: string;
}

/** A plan, with those of its leads that do not exist yet. */
export interface CheckedPlan {
  readonly standing: Standing;
  readonly leads: readonly PlannedLead[];
}

/**
 * Reads a model's answer: where the answer stands, and which leads come next.
 * @param claims by number, from 1
 * @throws ThoughtTreeError `bad-answer` saying what is wrong and how to put it right, in words for the model
 */
export function checkPlan(moment: Moment, asked: AskedLeads, claims: readonly Claim[], answer: string): CheckedPlan {
  const plan = readPlan(answer);
  const places = moment.byRule ? lookupIn(answer)?.places.map(({ title }) => title) : undefined;
  const known = new Set(moment.leads.map(({ node }) => node.title));
  const leads: PlannedLead[] = [];
  let count = 0;
  for (const { title: said, from, plannedAction, wrongIf, why } of plan.leads ?? []) {
    const title = oneLine(String(said ?? ''), LONGEST_TITLE);
    // Of a rule's list, only the places that are good enough as an answer are looked into.
    if (title === '' || (places && !places.includes(title)) || count >= asked.most) continue;
    count++;
    if (known.has(title)) continue;
    known.add(title);
    leads.push({
      from: leadNamed(moment, from ?? ''),
      title,
      plannedAction: (plannedAction ?? why ?? '').slice(0, LONGEST_ACTION).toWellFormed(),
      wrongIf: oneLine(wrongIf ?? '', LONGEST_ACTION),
    });
  }
  if (leads.length < asked.least)
    throw new ThoughtTreeError(
      'bad-answer',
      tooFewLeads({ count: leads.length, least: asked.least, most: asked.most }),
    );
  return { leads, standing: standingOf(plan, claims) };
}

function standingOf(plan: z.infer<typeof Plan>, claims: readonly Claim[]): Standing {
  const contradictions = (plan.contradictions ?? []).flatMap((pair): Standing['contradictions'] => {
    const [one, other] = pair.flatMap((each) => claims[Number(/\d+/.exec(String(each))?.[0]) - 1] ?? []);
    return one && other && one !== other ? [[placeOf(one), placeOf(other)]] : [];
  });
  return {
    answer: keptAnswer((plan.answer ?? '').trim(), claims)
      .slice(0, LONGEST_ANSWER)
      .toWellFormed(),
    weakest: oneLine(keptAnswer(plan.weakest ?? '', claims), LONGEST_WEAKEST),
    open: (plan.open ?? [])
      .flatMap((each) =>
        typeof each === 'string' ? oneLine(plainAnswer(keptAnswer(each, claims)), LONGEST_OPEN) || [] : [],
      )
      .slice(0, MOST_OPEN),
    contradictions: contradictions.slice(0, MOST_CONTRADICTIONS),
  };
}

function placeOf({ lead, place }: Claim): { node: string; claim: number } {
  return { node: lead.own.nodeId, claim: place };
}

/**
 * Returns the lead that another one follows from: the one that is named, or that the named check is of; else the
 * question itself.
 */
function leadNamed(moment: Moment, id: string): Lead {
  const named = moment.byId.get(id.trim());
  const meant = named && isCheck(named) ? moment.leads.find(({ node }) => node === named.node.parent) : named;
  if (meant && meant.own.state !== undefined) return meant;
  return rootLeadOf(moment) as Lead;
}

function readPlan(answer: string): z.infer<typeof Plan> {
  const parsed = Plan.safeParse(dataIn(answer));
  if (parsed.success) return parsed.data;
  throw new ThoughtTreeError('bad-answer', wrongLeads({ why: oneLine(z.prettifyError(parsed.error), 500) }));
}
