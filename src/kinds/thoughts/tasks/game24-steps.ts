import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { notGame24 } from '../messages.ts';
import { type Reading, readStepLine, type StepLine } from './game24-line.ts';
import { apply, compare, equal, type Operator, type Rational, rational, textOf } from './rational.ts';
import { standsFor, type WrittenNumber } from './written-number.ts';

/** The number of numbers in a problem. */
const NUMBERS = 4;
const RUN_OF_NUMBERS = /(?<![\d.])\d{1,3}(?:[\s,]+\d{1,3})*(?![\d.])/g;
const FORM = 'Write one step on one line, as in "13 - 9 = 4 (left: 4 4 10)".';

/** An available number, and how it was calculated. */
export type Term = { readonly value: Rational } & (
  | { readonly from: 'problem' }
  | { readonly from: 'step'; readonly operator: Operator; readonly first: Term; readonly second: Term }
);

/** The numbers that are left after some steps, or why the last of them is wrong. */
export type Steps = { readonly left: readonly Term[] } | { readonly wrong: string };

/**
 * The four numbers of a problem such as `4 9 10 13` or `Use 4, 9, 10 and 13 to make 24`.
 * @throws ThoughtTreeError `bad-input` unless there are exactly four together
 */
export function readProblem(problem: string): number[] {
  const text = problem
    .slice(0, 1000)
    .normalize('NFKC')
    .replace(/[、;]/g, ',')
    .replace(/,?(?<!\s)\s*\band\b|和/g, ',');
  const runs = (text.match(RUN_OF_NUMBERS) ?? []).map((run) => run.split(/[\s,]+/).map(Number));
  const fours = runs.filter((run) => run.length === NUMBERS);
  const others = runs.filter((run) => run.length !== NUMBERS && !(run.length === 1 && run[0] === 24));
  if (fours.length === 1 && others.length === 0) return fours[0] as number[];
  throw new ThoughtTreeError('bad-input', notGame24());
}

/** Carries out the steps in order, exactly. Checks each separately and stops at the first wrong one. */
export function takeSteps(problem: string, lines: readonly string[]): Steps {
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
export function list(terms: readonly Term[]): string {
  return [...terms]
    .sort(byValue)
    .map(({ value }) => textOf(value))
    .join(' ');
}
