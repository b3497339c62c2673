import assert from 'node:assert/strict';
import picomatch from 'picomatch';
import { touchesOverlap } from '../../../../../src/kinds/work-graph/graph/touches.ts';
import { growsLinearly } from '../../../../support/grows-linearly.ts';
import { randomFrom } from './random-graphs.ts';

const overlap = (one: string, other: string) => {
  const there = touchesOverlap([one], [other]);
  assert.equal(touchesOverlap([other], [one]), there, `${one} and ${other}, the other way round`);
  return there;
};

describe('whether two globs may mean the same file', () => {
  const apart: [one: string, other: string][] = [
    ['src/a/**', 'src/b/**'],
    ['src/a.ts', 'src/b.ts'],
    ['src/*.ts', 'test/*.ts'],
    ['src/*.ts', 'src/*.md'],
    ['src/**/*.ts', 'src/**/*.md'],
    ['src/*.ts', 'src/a/*.ts'],
    ['src', 'test'],
    ['a/{b,c}/d.ts', 'a/{e,f}/d.ts'],
    ['docs/[ab].md', 'src/[ab].md'],
    ['package.json', 'package-lock.json'],
  ];
  for (const [one, other] of apart)
    it(`says that ${one} and ${other} are apart`, () => assert.equal(overlap(one, other), false));

  const together: [one: string, other: string][] = [
    ['src/**', 'src/a/b.ts'],
    ['**', 'a'],
    ['**/*.ts', 'src/a.ts'],
    ['src', 'src/a/b.ts'],
    ['src/', 'src/a'],
    ['./src/a', 'src/a'],
    ['src/A.ts', 'src/a.ts'],
    ['caf\u00e9.md', 'cafe\u0301.md'],
    ['src/a*', 'src/*b'],
    ['src/{a,b}/c', 'src/b/*'],
    ['src/{a..c}', 'src/b'],
    ['src/@(a|b)/c', 'src/b/c'],
    ['!src/**', 'test/a'],
    ['[ab]+/x', 'aab/x'],
    ['"a"/x', 'a/x'],
    ['a/**/b', 'a/b'],
    ['src/[[:alpha:]]', 'src/b'],
  ];
  for (const [one, other] of together)
    it(`does not say that ${one} and ${other} are apart`, () => assert.equal(overlap(one, other), true));

  it('takes what is missing for anything, and an empty list for nothing', () => {
    assert.equal(touchesOverlap(undefined, ['a']), true);
    assert.equal(touchesOverlap(undefined, undefined), true);
    assert.equal(touchesOverlap(undefined, []), false);
    assert.equal(touchesOverlap(['a'], []), false);
  });

  it('is never wrong about a path that matches both', () => {
    const random = randomFrom(1);
    const pieces = [
      'a',
      'b',
      'ab',
      '*',
      '**',
      '?',
      '[ab]',
      '{a,b}',
      '{a,b/a}',
      'a*',
      '*b',
      '+(a)',
      '@(a|b)',
      '!(a)',
      '.a',
      '{,a}',
      '[ab]+',
      'A',
    ];
    const globOf = () =>
      Array.from(
        { length: 1 + random(4) },
        () => pieces[random(pieces.length)] + (random(4) === 0 ? (pieces[random(pieces.length)] ?? '') : ''),
      ).join('/');
    const names = ['a', 'b', 'ab', 'aab', '.a', 'ba', 'aa'];
    const paths = Array.from({ length: 400 }, () =>
      Array.from({ length: 1 + random(4) }, () => names[random(names.length)]).join('/'),
    );
    let both = 0;
    for (let i = 0; i < 3000; i++) {
      const [one, other] = [globOf(), globOf()];
      if (touchesOverlap([one], [other])) continue;
      const isOne = picomatch(one, { dot: true });
      const isOther = picomatch(other, { dot: true });
      const common = paths.find((path) => isOne(path) && isOther(path));
      assert.equal(common, undefined, `${one} and ${other}`);
      both++;
    }
    assert.ok(both > 300, `only ${both} pairs are apart`);
  });

  it('takes a time in proportion to hostile globs', async () => {
    const many = (glob: string) => Array.from({ length: 100 }, (_, i) => `${glob}${i}`.slice(-500));
    const hostile: [what: string, made: (size: number) => string][] = [
      ['stars', (size) => 'a*'.repeat(size / 2)],
      ['braces', (size) => '{a,b}'.repeat(size / 5)],
      ['deep', (size) => '*/'.repeat(size / 2)],
    ];
    for (const [what, one] of hostile)
      for (const [which, other] of hostile)
        await growsLinearly(
          `${what} and ${which}`,
          480,
          (size) => [many(one(size)), [...many(other(size)), 'x'.repeat(size)]] as const,
          // As new ones: what globs mean is remembered.
          ([left, right]) => touchesOverlap([...left], [...right]),
        );
  });
});
