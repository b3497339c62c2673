import assert from 'node:assert/strict';
import fc from 'fast-check';
import { globPattern, LinePattern, literally, PatternProblem } from '../../../src/searches/tools/line-pattern.ts';

describe('patterns of models', () => {
  it('match the lines that those of JavaScript match', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'C',
      '\\.',
      '.',
      '\\d',
      '\\w',
      '[ab]',
      '[^a-c]',
      '\\b',
      '\\B',
      '^',
      '$',
      ' ',
      '\\(',
      'é',
    );
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        atom,
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
        fc
          .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '*?', '{2}', '{0,2}', '{1,}'))
          .map(([one, times]) => `(${one})${times}`),
      ),
    }));
    const line = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', 'C', '.', '1', ' ', '(', 'é'), maxLength: 12 });
    fc.assert(
      fc.property(
        pattern,
        fc.array(line, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        (source, lines, ignoresCase) => {
          const own = new LinePattern(source, ignoresCase);
          const other = new RegExp(source, ignoresCase ? 'i' : '');
          for (const each of lines) {
            assert.equal(own.find(each) !== undefined, other.test(each), JSON.stringify([source, each]));
            if (other.test(each)) assert.ok(own.mayMatch(`x\n${each}\ny`), JSON.stringify([source, each]));
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('say where the first match ends', () => {
    assert.equal(new LinePattern('b+c', false).find('aabbcbc'), 5);
    assert.equal(new LinePattern('c$', false).find('abcabc'), 6);
    assert.equal(new LinePattern('x', false).find('abc'), undefined);
  });

  it('look at each character once, whatever they are', () => {
    const line = `${'a'.repeat(100_000)}!`;
    for (const source of [
      '(a+)+$',
      '(a|aa)+$',
      '(?:a*)*b',
      '(.*)*x',
      '(?:a|a|a|a)*c',
      '.*.*.*.*.*y',
      '(a{1,20}){1,20}z',
    ])
      assert.equal(new LinePattern(source, false).find(line), undefined, source);
  });

  it('are bounded where they would need too many states', () => {
    let seed = 1;
    const random = Array.from({ length: 400_000 }, () => {
      seed = (seed * 48271) % 2147483647;
      return seed % 2 === 0 ? 'a' : 'b';
    }).join('');
    const hard = new LinePattern('a(?:a|b){60}c|b(?:a|b){400}d|a(?:a|b){700}e', false);
    assert.throws(() => hard.find(random), PatternProblem);
    assert.throws(() => new LinePattern('(?:a{1,99}){1,99}', false), PatternProblem);
    assert.throws(() => new LinePattern(`${'('.repeat(100)}${')'.repeat(100)}`, false), PatternProblem);
  });

  it('take any text word for word', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 20 }),
        fc.string({ maxLength: 20 }),
        fc.string({ maxLength: 20 }),
        (before, text, after) => {
          const pattern = new LinePattern(literally(text), false);
          assert.equal(pattern.find(before + text + after), (before + text + after).indexOf(text) + text.length);
        },
      ),
    );
  });

  it('take globs', () => {
    const files = ['a.ts', 'src/a.ts', 'src/b.tsx', 'src/deep/c.py', 'lib/d.js', 'src/[x].ts'];
    const matching = (glob: string): string[] => files.filter((path) => globPattern(glob).find(path) !== undefined);
    assert.deepEqual(matching('*.ts'), ['a.ts', 'src/a.ts', 'src/[x].ts']);
    assert.deepEqual(matching('src/*.ts'), ['src/a.ts', 'src/[x].ts']);
    assert.deepEqual(matching('src/**/*.{py,tsx}'), ['src/b.tsx', 'src/deep/c.py']);
    assert.deepEqual(matching('./lib/'), ['lib/d.js']);
    assert.deepEqual(matching('**/c.*'), ['src/deep/c.py']);
    assert.deepEqual(matching('*.py, *.js'), ['src/deep/c.py', 'lib/d.js']);
    assert.deepEqual(matching('?.ts'), ['a.ts', 'src/a.ts']);
    assert.deepEqual(matching('[!a-c].js'), ['lib/d.js']);
    assert.deepEqual(matching('a.ts}'), []);
  });
});
