import type { Term } from './game24-steps.ts';
import { type Operator, textOf } from './rational.ts';

const BINDING: Record<Operator, number> = { '+': 1, '-': 1, '*': 2, '/': 2 };

/** Writes how a number was calculated, as one expression with no more parentheses than needed. */
export function expressionOf(term: Term): string {
  if (term.from === 'problem') return textOf(term.value);
  const { operator, first, second } = term;
  return `${inside(first, operator, false)} ${operator} ${inside(second, operator, true)}`;
}

function inside(term: Term, around: Operator, isSecond: boolean): string {
  const text = expressionOf(term);
  return term.from === 'step' && needsParentheses(term.operator, around, isSecond) ? `(${text})` : text;
}

/** After a minus or a division, operators that bind no stronger need parentheses. */
function needsParentheses(own: Operator, around: Operator, isSecond: boolean): boolean {
  if (BINDING[own] !== BINDING[around]) return BINDING[own] < BINDING[around];
  return isSecond && (around === '-' || around === '/');
}
