import { NUMBERS, numbersIn } from '../../../engine/report/refer.ts';
import type { Claim } from './claims.ts';

// Findings have numbers in prompts only: an answer that is kept cites them by their leads, as later ones have other numbers.

/** `[R2.A1#2]`, as it is kept. */
const KEPT = /\[(R\d{1,4}\.\w{1,90}#\d{1,3}(?:, R\d{1,4}\.\w{1,90}#\d{1,3}){0,129})\]/g;
/** A number in code marks is not that of a finding. */
const CODE = /(`[^`\n]{1,300}`)/;

/** An answer as it is kept. @param claims by number, from 1 */
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
