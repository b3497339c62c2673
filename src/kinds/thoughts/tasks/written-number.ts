import { compare, equal, type Rational, rational } from './rational.ts';

/** Digits after the point from which on a decimal may be a rounded number. */
const ENOUGH_DIGITS = 4;
const DECIMAL = /^(-?)(\d{1,20})(?:\.(\d{1,12}))?$/;
const FRACTION = /^(-?\d{1,20})\/(\d{1,20})$/;

/** A number as written. */
export interface WrittenNumber {
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
export function standsFor({ value, digits }: WrittenNumber, exact: Rational): boolean {
  if (equal(value, exact)) return true;
  if (digits < ENOUGH_DIGITS) return false;
  const unit = 10n ** BigInt(digits);
  const off = rational(value.top * exact.bottom - exact.top * value.bottom, value.bottom * exact.bottom);
  const distance = off.top < 0n ? rational(-off.top, off.bottom) : off;
  return compare(distance, rational(1n, unit)) < 0;
}
