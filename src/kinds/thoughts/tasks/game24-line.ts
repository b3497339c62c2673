import type { Operator } from './rational.ts';
import { readNumber, type WrittenNumber } from './written-number.ts';

const LONGEST_LINE = 200;
const MOST_NUMBERS = 20;
const LEFT = /\b(?:numbers\s+left|left\s+over|left|remaining\s+numbers|remaining)\b|剩余|剩下|余下/i;
const LIST_MARK = /^(?:[*•]|-(?=\s)|\d{1,2}[.)](?=\s))\s*/;

/** One interpretation of a step's calculation: `8/1/3` has two. */
export interface Reading {
  readonly first: WrittenNumber;
  readonly operator: Operator;
  readonly second: WrittenNumber;
}

/** A step as written. */
export interface StepLine {
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

/** Every way to split a calculation into two numbers and an operator. */
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
