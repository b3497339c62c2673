import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { fourNumbersIn } from '../descriptor.ts';
import { notGame24 } from '../messages.ts';
import type { Task, ThoughtPath, Verdict } from './task.ts';

/** An exact number: `top / bottom` in lowest terms, `bottom` above 0. */
export interface Rational {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** An operator on two numbers. */
export type Operator = '+' | '-' | '*' | '/';

/** @throws RangeError if `bottom` is 0 */
export function rational(top: bigint, bottom = 1n): Rational {
  if (bottom === 0n) throw new RangeError('a number cannot be divided by 0');
  const sign = bottom < 0n ? -1n : 1n;
  const common = greatestCommonDivisor(top, bottom) * sign;
  return { top: top / common, bottom: bottom / common };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [large, small] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (small !== 0n) [large, small] = [small, large % small];
  return large;
}

/** Undefined for a division by 0. */
export function apply(operator: Operator, a: Rational, b: Rational): Rational | undefined {
  switch (operator) {
    case '+':
      return rational(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
    case '-':
      return rational(a.top * b.bottom - b.top * a.bottom, a.bottom * b.bottom);
    case '*':
      return rational(a.top * b.top, a.bottom * b.bottom);
    case '/':
      return b.top === 0n ? undefined : rational(a.top * b.bottom, a.bottom * b.top);
  }
}

export function equal(a: Rational, b: Rational): boolean {
  return a.top === b.top && a.bottom === b.bottom;
}

/** Below 0 if `a` is less, above 0 if it is more. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.top * b.bottom - b.top * a.bottom;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** As in `24`, `-3` and `10/3`. */
export function textOf({ top, bottom }: Rational): string {
  return bottom === 1n ? String(top) : `${top}/${bottom}`;
}

const GOAL = rational(24n);
const BINDING: Record<Operator, number> = { '+': 1, '-': 1, '*': 2, '/': 2 };

const FORM = 'Write one step on one line, as in "13 - 9 = 4 (left: 4 4 10)".';

const LONGEST_LINE = 200;
const MOST_NUMBERS = 20;
const LEFT = /\b(?:numbers\s+left|left\s+over|left|remaining\s+numbers|remaining)\b|剩余|剩下|余下/i;
const LIST_MARK = /^(?:[*•]|-(?=\s)|\d{1,2}[.)](?=\s))\s*/;

/** Digits after the point from which on a decimal may be a rounded number. */
const ENOUGH_DIGITS = 4;
const DECIMAL = /^(-?)(\d{1,20})(?:\.(\d{1,12}))?$/;
const FRACTION = /^(-?\d{1,20})\/(\d{1,20})$/;

/** Four numbers, each used once, combined by + - * / to make 24. */
export const game24: Task = {
  name: 'game24',
  preset: 'math_reasoning',
  // A judge that sees three numbers calls one solvable state in fourteen impossible: low scores come last, and are not
  // pruned.
  defaults: {
    // Many steps are proposed at once, and another one is as cheap as a mended one.
    repairs: 0,
    strategy: 'best-first',
    maxDepth: 3,
    candidates: 12,
    generation: 'sequential_proposal',
    evaluation: 'independent_scoring',
    judge: 'layer',
    samples: 3,
    beam: 3,
    threshold: 1,
  },
  // Going all the way down below low scores costs several times the calls, and solves no more.
  defaultsWith: {
    'depth-first': { threshold: 5 },
    // They ask again wherever that may pay, and a puzzle has few steps that are not seen at once.
    adaptive: { threshold: 5, tries: 2 },
    uct: { threshold: 5, tries: 2 },
  },
  start: (problem) => readProblem(problem).join(' '),
  decomposition: () => ({
    thought_granularity: 'single_equation',
    intermediate_steps: [
      'Join two of the four numbers; three are left',
      'Join two of the three numbers; two are left',
      'Join the last two numbers',
    ],
    depth_estimate: 3,
    constraints: ['Use each number exactly once', 'Use only + - * / on two of the numbers that are left'],
    success_criteria: 'The one number left is 24',
  }),
  wording: {
    generate: [
      'A thought is one step on one line: two of the numbers left, joined by + - * or /, and what is left after it,',
      'as in `13 - 9 = 4 (left: 4 4 10)`. Write a number that is not whole with four decimals; it stands for the exact one.',
    ].join('\n'),
    evaluate: [
      'Judge whether the numbers left can still make 24: 9 where they surely can, 6 where it is likely or they are of a',
      'fitting size, 1.5 where it is impossible; 10 where 24 alone is left. Try it out before you judge.',
    ].join('\n'),
  },
  verify(path: ThoughtPath): Verdict {
    const steps = stepsOf(path);
    return 'left' in steps ? { ok: true } : { ok: false, why: steps.wrong };
  },
  state(path: ThoughtPath): string | undefined {
    const steps = stepsOf(path);
    return 'left' in steps ? list(steps.left) : undefined;
  },
  solved: (path: ThoughtPath): boolean => resultOf(path) !== undefined,
  compose(path: ThoughtPath): string | undefined {
    const result = resultOf(path);
    return result && `${expressionOf(result)} = 24`;
  },
};

function stepsOf({ problem, thoughts }: ThoughtPath): ReturnType<typeof takeSteps> {
  return takeSteps(
    problem,
    thoughts.map(({ content }) => content),
  );
}

/** Returns the one number that is left, if it is 24. */
function resultOf(path: ThoughtPath): Term | undefined {
  const steps = stepsOf(path);
  if (!('left' in steps) || steps.left.length !== 1) return undefined;
  const [result] = steps.left;
  return result && equal(result.value, GOAL) ? result : undefined;
}

/** Writes how a number was calculated, as one expression with no more parentheses than needed. */
function expressionOf(term: Term): string {
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

/** An available number, and how it was calculated. */
type Term = { readonly value: Rational } & (
  | { readonly from: 'problem' }
  | { readonly from: 'step'; readonly operator: Operator; readonly first: Term; readonly second: Term }
);

/** The numbers that are left after some steps, or why the last of them is wrong. */
type Steps = { readonly left: readonly Term[] } | { readonly wrong: string };

/**
 * The four numbers of a problem such as `4 9 10 13` or `Use 4, 9, 10 and 13 to make 24`.
 * @throws ThoughtTreeError `bad-input` unless there are exactly four together
 */
export function readProblem(problem: string): number[] {
  const numbers = fourNumbersIn(problem);
  if (!numbers) throw new ThoughtTreeError('bad-input', notGame24());
  return numbers;
}

/** Carries out the steps in order, exactly. Checks each separately and stops at the first wrong one. */
function takeSteps(problem: string, lines: readonly string[]): Steps {
  let left: readonly Term[] = readProblem(problem).map((n) => ({ value: rational(BigInt(n)), from: 'problem' }));
  for (const [index, line] of lines.entries()) {
    const steps = takeStep(left, line);
    if ('left' in steps) left = steps.left;
    else return index === lines.length - 1 ? steps : { wrong: `An earlier step is wrong: ${steps.wrong}` };
  }
  return { left };
}

function takeStep(before: readonly Term[], text: string): Steps {
  const line = readStepLine(text);
  if (!line) return { wrong: FORM };
  if (before.length < 2) return { wrong: 'Only one number is left, so that nothing more can be done.' };
  let wrong: string | undefined;
  for (const reading of line.readings) {
    const steps = takeReading(before, reading, line);
    if ('left' in steps) return steps;
    wrong ??= steps.wrong;
  }
  return { wrong: wrong ?? FORM };
}

function takeReading(before: readonly Term[], { first, operator, second }: Reading, line: StepLine): Steps {
  const pair = choosePair(before, first, second);
  if (!pair) return { wrong: `This step needs ${missing(before, first, second)}. Left before it: ${list(before)}.` };
  const [a, b] = pair;
  const value = apply(operator, a.value, b.value);
  if (!value) return { wrong: 'Nothing can be divided by 0.' };
  if (!standsFor(line.result, value)) {
    const calculation = `${textOf(a.value)} ${operator} ${textOf(b.value)}`;
    return { wrong: `${calculation} is ${textOf(value)}, not ${textOf(line.result.value)}.` };
  }
  const made: Term = { value, from: 'step', operator, first: a, second: b };
  const left = [...before.filter((term) => term !== a && term !== b), made].sort(byValue);
  return sayWhatIsLeft(left, line.left);
}

/** The last step may omit it, since only its result is left. */
function sayWhatIsLeft(left: readonly Term[], said: readonly WrittenNumber[] | undefined): Steps {
  if (!said)
    return left.length === 1 ? { left } : { wrong: `Say what is left after this step: (left: ${list(left)}).` };
  if (said.length === left.length && takeAll(left, said)) return { left };
  return { wrong: `After this step ${list(left)} is left, not ${said.map(({ value }) => textOf(value)).join(' ')}.` };
}

/** Tells whether each written number represents a different one of the numbers left. */
function takeAll(left: readonly Term[], said: readonly WrittenNumber[]): boolean {
  let rest = left;
  for (const number of [...said].sort((a, b) => a.digits - b.digits)) {
    const term = choose(rest, number);
    if (!term) return false;
    rest = rest.filter((each) => each !== term);
  }
  return true;
}

function choosePair(terms: readonly Term[], first: WrittenNumber, second: WrittenNumber): [Term, Term] | undefined {
  const a = choose(terms, first);
  const b = choose(
    terms.filter((term) => term !== a),
    second,
  );
  return a && b ? [a, b] : undefined;
}

/** Of equal numbers, one of the problem comes first: that makes the answer simpler. */
function choose(terms: readonly Term[], written: WrittenNumber): Term | undefined {
  const exact = terms.filter(({ value }) => equal(value, written.value));
  const fitting = exact.length > 0 ? exact : terms.filter(({ value }) => standsFor(written, value));
  return fitting.find(({ from }) => from === 'problem') ?? fitting[0];
}

function missing(terms: readonly Term[], first: WrittenNumber, second: WrittenNumber): string {
  const a = choose(terms, first);
  if (!a) return `${textOf(first.value)}, which is not left`;
  return choose(terms, second)
    ? `${textOf(second.value)} twice, which is left only once`
    : `${textOf(second.value)}, which is not left`;
}

function byValue(a: Term, b: Term): number {
  return compare(a.value, b.value);
}

/** Numbers in rising order, as in `4 4 10`. */
function list(terms: readonly Term[]): string {
  return [...terms]
    .sort(byValue)
    .map(({ value }) => textOf(value))
    .join(' ');
}

/** One interpretation of a step's calculation: `8/1/3` has two. */
interface Reading {
  readonly first: WrittenNumber;
  readonly operator: Operator;
  readonly second: WrittenNumber;
}

/** A step as written. */
interface StepLine {
  /** At least one. */
  readonly readings: readonly Reading[];
  readonly result: WrittenNumber;
  /** Undefined if the line does not say what is left. */
  readonly left: readonly WrittenNumber[] | undefined;
}

/** Parses one line such as `13 - 9 = 4 (left: 4 4 10)`; undefined if it has another form. Does not check arithmetic. */
export function readStepLine(text: string): StepLine | undefined {
  if (text.length > LONGEST_LINE) return undefined;
  const line = usualSigns(text).trim().replace(LIST_MARK, '');
  if (line.length > LONGEST_LINE || line.includes('\n')) return undefined;
  const mark = LEFT.exec(line);
  const calculation = (mark ? line.slice(0, mark.index) : line).replace(/(?<![\s,;.([])[\s,;.([]+$/, '');
  const sides = calculation.split('=');
  const result = readNumber(sides[1] ?? '');
  if (sides.length !== 2 || !result) return undefined;
  const readings = readingsOf((sides[0] as string).trim());
  const left = mark ? readList(line.slice(mark.index + mark[0].length)) : undefined;
  if (readings.length === 0 || (mark && !left)) return undefined;
  return { readings, result, left };
}

/** Replaces operators that people and models write in several ways by one sign each. */
function usualSigns(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/[×·⋅∙✕✖]|(?<=[\d\s)])x(?=[\d\s(-])/gi, '*')
    .replace(/[÷∕⁄]/g, '/')
    .replace(/[、;]/g, ',');
}

/** Returns every way to split a calculation into two numbers and an operator. */
function readingsOf(text: string): Reading[] {
  const readings: Reading[] = [];
  const bare =
    text.startsWith('(') && text.endsWith(')') && !text.slice(1, -1).includes('(') ? text.slice(1, -1) : text;
  for (let i = 1; i < bare.length; i++) {
    const operator = bare[i] as string;
    if (!isOperator(operator)) continue;
    const first = readNumber(bare.slice(0, i));
    const second = readNumber(bare.slice(i + 1));
    if (first && second) readings.push({ first, operator, second });
  }
  return readings;
}

function isOperator(sign: string): sign is Operator {
  return sign === '+' || sign === '-' || sign === '*' || sign === '/';
}

/** Numbers separated by spaces or commas, as after the word; undefined if one of them is invalid. */
function readList(text: string): WrittenNumber[] | undefined {
  const words = text
    .replace(/^\s*(?:are|is)?\s*:?/i, '')
    .replace(/[()[\]]|\.\s*$|\.(?=\s*[)\]])/g, ' ')
    .split(/[\s,]+|\band\b|和/)
    .filter((word) => word !== '');
  if (words.length === 0 || words.length > MOST_NUMBERS) return undefined;
  const numbers = words.map((word) => readNumber(word));
  return numbers.every((number) => number !== undefined) ? numbers : undefined;
}

/** A number as written. */
interface WrittenNumber {
  readonly value: Rational;
  /** Digits after the point. */
  readonly digits: number;
}

/** Parses `13`, `-4`, `2.5`, `3.3333`, `10/3` and the same in parentheses; undefined for anything else. */
export function readNumber(text: string): WrittenNumber | undefined {
  const bare = text.trim();
  const inner = bare.startsWith('(') && bare.endsWith(')') ? bare.slice(1, -1).trim() : bare;
  const fraction = FRACTION.exec(inner);
  if (fraction) {
    const bottom = BigInt(fraction[2] as string);
    return bottom === 0n ? undefined : { value: rational(BigInt(fraction[1] as string), bottom), digits: 0 };
  }
  const decimal = DECIMAL.exec(inner);
  if (!decimal) return undefined;
  const [, sign, whole = '', part = ''] = decimal;
  const value = rational(BigInt(`${whole}${part}`), 10n ** BigInt(part.length));
  return { value: sign ? rational(-value.top, value.bottom) : value, digits: part.length };
}

/** Tells whether the written number equals this one: exactly, or rounded to four digits or more. */
function standsFor({ value, digits }: WrittenNumber, exact: Rational): boolean {
  if (equal(value, exact)) return true;
  if (digits < ENOUGH_DIGITS) return false;
  const unit = 10n ** BigInt(digits);
  const off = rational(value.top * exact.bottom - exact.top * value.bottom, value.bottom * exact.bottom);
  const distance = off.top < 0n ? rational(-off.top, off.bottom) : off;
  return compare(distance, rational(1n, unit)) < 0;
}
