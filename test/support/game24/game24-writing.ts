import {
  equal,
  type Rational,
  rational,
  readNumber,
  readProblem,
  readStepLine,
  textOf,
} from '../../../src/kinds/thoughts/tasks/game24.ts';
import { inOrder, type Joining, type Numbers, whole } from './game24-solver.ts';

/** Returns a step as the model writes it, whether it is right or not. */
export function stepText({ first, operator, second, result }: Joining, left: Numbers): string {
  const [a, b, c] = [first, second, result].map(written);
  return `${a} ${operator} ${b} = ${c} (left: ${left.map(written).join(' ')})`;
}

/** Returns what is left after the last of these steps, as it claims; the problem's numbers where there is none. */
export function claimedNumbers(problem: string, path: readonly string[]): Numbers | undefined {
  const last = path.at(-1);
  if (last === undefined) return whole(readProblem(problem));
  const left = readStepLine(last)?.left;
  return left && inOrder(left.map(({ value, digits }) => (digits === 4 ? simplestNear(value) : value)));
}

/** With four decimals where the number is not whole, as long as it can be told from them again. */
function written(number: Rational): string {
  const { top, bottom } = number;
  if (10_000n % bottom === 0n) return String(Number(top) / Number(bottom));
  const sign = top < 0n ? '-' : '';
  const digits = String(((top < 0n ? -top : top) * 20_000n + bottom) / (2n * bottom)).padStart(5, '0');
  const decimal = `${sign}${digits.slice(0, -4)}.${digits.slice(-4)}`;
  const read = readNumber(decimal);
  return read && equal(simplestNear(read.value), number) ? decimal : textOf(number);
}

/** Returns the number with the smallest bottom within half of a fourth decimal. */
function simplestNear({ top, bottom }: Rational): Rational {
  for (let candidate = 1n; candidate < 1000n; candidate++) {
    const nearest = (2n * top * candidate + bottom) / (2n * bottom) - (top < 0n ? 1n : 0n);
    for (const each of [nearest, nearest + 1n]) {
      const off = each * bottom - top * candidate;
      if ((off < 0n ? -off : off) * 20_000n <= bottom * candidate) return rational(each, candidate);
    }
  }
  return rational(top, bottom);
}
