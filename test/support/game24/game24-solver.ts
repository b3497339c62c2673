import {
  apply,
  compare,
  type Operator,
  type Rational,
  rational,
  textOf,
} from '../../../src/kinds/thoughts/tasks/game24.ts';

/** The numbers left, in rising order. */
export type Numbers = readonly Rational[];

/** Two numbers joined, and what comes out. */
export interface Joining {
  readonly first: Rational;
  readonly operator: Operator;
  readonly second: Rational;
  readonly result: Rational;
}

/** Numbers that one step leads to, and the steps that lead there. */
export interface Next {
  readonly numbers: Numbers;
  /** The steps whose result is a whole number and not negative, or all where there is none. */
  readonly joinings: readonly Joining[];
  /** Whether no step leads there whose result is a whole number and not negative. */
  readonly isBroken: boolean;
}

const OPERATORS: readonly Operator[] = ['+', '-', '*', '/'];
const GOAL = '24';
const known = new Map<string, boolean>();
const followers = new Map<string, readonly Next[]>();

export function inOrder(numbers: Numbers): Numbers {
  return [...numbers].sort(compare);
}

export function whole(numbers: readonly number[]): Numbers {
  return inOrder(numbers.map((n) => rational(BigInt(n))));
}

export function keyOf(numbers: Numbers): string {
  return numbers.map(textOf).join(' ');
}

/** Tells whether 24 can be made of these numbers, each used once: the truth, found by trying everything. */
export function canMake24(numbers: Numbers): boolean {
  const key = keyOf(numbers);
  const found = known.get(key);
  if (found !== undefined) return found;
  const can = numbers.length === 1 ? key === GOAL : nextOf(numbers).some((next) => canMake24(next.numbers));
  known.set(key, can);
  return can;
}

/** Returns all that one step can lead to, each once. */
export function nextOf(numbers: Numbers): readonly Next[] {
  const key = keyOf(numbers);
  const found = followers.get(key);
  if (found) return found;
  const byKey = new Map<string, { numbers: Numbers; joinings: Joining[] }>();
  for (const [i, first] of numbers.entries())
    for (const [j, second] of numbers.entries()) {
      if (i === j) continue;
      const others = numbers.filter((_, at) => at !== i && at !== j);
      for (const operator of OPERATORS) {
        const result = apply(operator, first, second);
        if (!result) continue;
        const after = inOrder([...others, result]);
        const entry = byKey.get(keyOf(after)) ?? { numbers: after, joinings: [] };
        entry.joinings.push({ first, operator, second, result });
        byKey.set(keyOf(after), entry);
      }
    }
  const list = [...byKey.values()].map(({ numbers: after, joinings }) => {
    const plain = joinings.filter(({ result }) => result.bottom === 1n && result.top >= 0n);
    return { numbers: after, joinings: plain.length > 0 ? plain : joinings, isBroken: plain.length === 0 };
  });
  followers.set(key, list);
  return list;
}
