import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  apply,
  compare,
  equal,
  type Operator,
  type Rational,
  rational,
  textOf,
} from '../../../../../src/kinds/thoughts/tasks/game24.ts';

const small = fc.bigInt({ min: -1_000_000_000_000n, max: 1_000_000_000_000n });
const number = fc
  .tuple(
    small,
    small.filter((n) => n !== 0n),
  )
  .map(([top, bottom]) => rational(top, bottom));
const calculate = (operator: Operator, a: Rational, b: Rational): Rational => {
  const result = apply(operator, a, b);
  assert.ok(result);
  return result;
};

describe('an exact number', () => {
  it('is in lowest terms with its sign on top', () => {
    assert.deepEqual(rational(6n, -4n), { top: -3n, bottom: 2n });
    assert.deepEqual(rational(0n, -7n), { top: 0n, bottom: 1n });
    assert.equal(textOf(rational(-20n, 6n)), '-10/3');
    assert.equal(textOf(rational(48n, 2n)), '24');
  });

  it('is never divided by 0', () => {
    assert.throws(() => rational(1n, 0n), RangeError);
    assert.equal(apply('/', rational(3n), rational(0n, 5n)), undefined);
  });

  it('is undone by the opposite', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        assert.ok(equal(calculate('-', calculate('+', a, b), b), a));
        if (b.top !== 0n) assert.ok(equal(calculate('*', calculate('/', a, b), b), a));
      }),
    );
  });

  it('keeps the order of the numbers', () => {
    fc.assert(
      fc.property(number, number, number, (a, b, c) => {
        assert.equal(Math.sign(compare(a, b)), -Math.sign(compare(b, a)) || 0);
        assert.equal(compare(a, b) === 0, equal(a, b));
        assert.equal(Math.sign(compare(calculate('+', a, c), calculate('+', b, c))), Math.sign(compare(a, b)));
      }),
    );
  });
});
