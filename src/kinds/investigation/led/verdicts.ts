import * as z from 'zod';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import { foundIn, frontAndBody } from '../../../engine/report/findings.ts';
import { noVerdicts } from '../messages.ts';
import type { Outcome, OwnFields } from '../run/own-fields.ts';

const VERDICTS = ['confirmed', 'in part', 'refuted', 'not checked'] as const satisfies readonly Outcome[];
/** The outcomes that a check may have for a claim. */
export type Verdicts = (typeof VERDICTS)[number];

/** A check's verdict on one claim. */
export interface Verdict {
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
