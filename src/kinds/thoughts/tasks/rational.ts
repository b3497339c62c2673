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
