import type { Model } from '../../../core/ports/model.ts';
import { utf8Length } from '../../../core/text/text.ts';
import type { Outcome } from '../run/own-fields.ts';
import { titleOf } from '../run/read-investigation.ts';
import type { Claim, Known } from './claims.ts';
import type { ShownClaim, ShownLead } from './prompts.ts';

// Leads as prompts show them.

const RESULTS: Readonly<Record<string, string>> = {
  FOUND: 'settled',
  DEAD: 'leads nowhere',
  EXPLORE: 'open',
  EXHAUST: 'open',
};

/** A lead with its findings. @param first the number of its first finding */
export function shownLead({ lead, claims, open }: Known, first: number): ShownLead {
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
export function numbered(claims: readonly Claim[], first: number): ShownClaim[] {
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
