import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { type CheckedDocument, checkDocument } from '../../../core/text/document.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { foundIn } from '../../../engine/report/findings.ts';
import { noResult } from '../messages.ts';
import type { State } from '../protocol/profiles.ts';
import type { Outcome } from '../run/own-fields.ts';
import { outcomeOfCheck } from './verdicts.ts';

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
